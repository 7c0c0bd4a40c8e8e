/** Asks before the page connects to another gateway than its own, because a link may have set the address. */
import { html } from 'lit';
import { confirmed } from './dialogs.ts';

export const confirmGateway = (address: string): Promise<boolean> =>
  confirmed({
    title: 'Connect to another gateway?',
    body: html`<p>This link wants to connect to</p><p><code>${address}</code></p><p>Everything you type is sent to this address. Continue only if you trust it.</p>`,
    action: 'Connect',
    danger: true,
  });
