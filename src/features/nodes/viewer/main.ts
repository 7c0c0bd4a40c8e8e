/** The page that makes a browser a node of the gateway: reads the invitation, starts the node, and renders it. */
import { render, type TemplateResult } from 'lit';
import { drawInsecure, drawNode, drawUninvited, drawUnsupported } from './draw.ts';
import { loadIdentity } from './identity.ts';
import { openNodeStorage } from './node-storage.ts';
import { followPage } from './browser-facts.ts';
import { startNode, type WebNode } from './web-node.ts';

const root = document.getElementById('node')!;
const show = (template: TemplateResult): unknown => render(template, root);

/**
 * Takes the secret from the fragment and removes it from the address, so that it appears in no history, bookmark or
 * screenshot.
 */
function takeInvitation(): string | undefined {
  const secret = /^#([0-9a-f]{16,128})$/.exec(location.hash)?.[1];
  if (secret !== undefined) history.replaceState(undefined, '', location.pathname);
  return secret;
}

function draw(node: WebNode | undefined): void {
  if (!node) return;
  const [use] = node.uses;
  document.title = use ? `● ${use.what} in use` : 'Clawdbot node';
  show(drawNode(node));
}

async function start(): Promise<void> {
  const invitation = takeInvitation();
  if (!isSecureContext) return void show(drawInsecure());
  if ('serviceWorker' in navigator) await navigator.serviceWorker.register('worker.js').catch(noWorker);
  const keeping = await openNodeStorage();
  if (invitation === undefined && (await keeping.read('deviceToken')) === undefined) return void show(drawUninvited());
  const current: { node?: WebNode } = {};
  const node = await startNode({
    keeping,
    identity: await loadIdentity(keeping),
    invitation,
    changed: () => draw(current.node),
  });
  current.node = node;
  draw(node);
  followPage({ hidden: () => node.hidden(), shown: () => node.shown(), left: () => node.left() });
}

/**
 * Without a service worker, nothing can be shared with the page and no notifications are shown; everything else works.
 */
const noWorker = (cause: unknown): void => console.info('No service worker here.', cause);

start().catch((cause: unknown) => show(drawUnsupported(cause instanceof Error ? cause.message : String(cause))));
// Opening a second invitation on the same page only changes the fragment, so the page is reloaded.
addEventListener('hashchange', () => /^#[0-9a-f]{16,128}$/.test(location.hash) && location.reload());
