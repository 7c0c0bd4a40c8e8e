/** The page that makes a browser a node of the gateway: reads the invitation, starts the node, and renders it. */
import { render, type TemplateResult } from 'lit';
import { drawInsecure, drawNode, drawUninvited, drawUnsupported } from './draw.ts';
import { loadIdentity } from './identity.ts';
import { openNodeStorage } from './node-storage.ts';
import { followPage } from './browser-facts.ts';
import { startNode, type WebNode } from './web-node.ts';

const root = document.getElementById('node')!;
const show = (template: TemplateResult): unknown => render(template, root);

/** The secret behind `#`, which leaves the address at once: no history, bookmark or screenshot keeps it. */
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

/** Without it nothing is shared with the page, and no notifications are shown; the rest works. */
const noWorker = (cause: unknown): void => console.info('No service worker here.', cause);

start().catch((cause: unknown) => show(drawUnsupported(cause instanceof Error ? cause.message : String(cause))));
// A second address that is scanned on the same page only changes what is behind #.
addEventListener('hashchange', () => /^#[0-9a-f]{16,128}$/.test(location.hash) && location.reload());
