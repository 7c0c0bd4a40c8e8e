/** Asks before this page talks to another gateway than its own: a link could have put the address there. */
import { html } from 'lit';
import { confirmed } from './dialogs.ts';

export const confirmGateway = (address: string): Promise<boolean> =>
  confirmed({
    title: 'Connect to another gateway?',
    body: html`<p>This link asks the page to connect to</p><p><code>${address}</code></p><p>What you type would go there. Continue only if the address is yours.</p>`,
    action: 'Connect there',
    danger: true,
  });
