/** Asks before this page talks to another gateway than its own: a link could have put the address there. */
import { html } from 'lit';
import { confirmed } from './dialogs.ts';

export const confirmGateway = (address: string): Promise<boolean> =>
  confirmed({
    title: 'Connect to another gateway?',
    body: html`<p>This link wants to connect to</p><p><code>${address}</code></p><p>Everything you type is sent to this address. Continue only if you trust it.</p>`,
    action: 'Connect',
    danger: true,
  });
