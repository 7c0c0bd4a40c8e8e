/** Creates the addresses of canvas content, each with a token that expires. */
import { canvasPath, documentIdOf, type EmbedRequest, type ShownEmbed } from '../../core/canvas.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { CanvasAnswers } from './answers.ts';
import type { Capabilities } from './capability.ts';
import type { CanvasDeps } from './canvas-deps.ts';
import type { DocumentStore } from './documents/document-store.ts';
import { previewOf, type Manifest } from './documents/manifest.ts';
import { writeFirstPage } from './serve/first-page.ts';
import { sandboxTokens, strictest } from './serve/policy.ts';

export interface CanvasAddressesDeps extends Pick<CanvasDeps, 'config' | 'controlUi' | 'folders' | 'log'> {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly capabilities: Pick<Capabilities, 'issue'>;
  /** The port where a page can have an origin; undefined: there is none. */
  ownPort(): number | undefined;
}

/** A page of the Control UI stays open for long; what it shows is requested anew. */
const OPEN_MS = 12 * 3_600_000;
const LINK_MS = 7 * 24 * 3_600_000;

type Opened = CanvasAnswers['canvas.open'];

/** The same path under a token of its own. */
async function withToken(
  path: string,
  { agentId, forMs }: { readonly agentId: string; readonly forMs: number },
  { capabilities }: Pick<CanvasAddressesDeps, 'capabilities'>,
): Promise<{ path: string; expiresAt: number }> {
  const id = documentIdOf(path);
  const { token, expiresAt } = await capabilities.issue(
    id === undefined ? `canvas/${agentId}` : `document/${id}`,
    forMs,
  );
  return { path: path.replace(/^(\/__\w+__)/, `$1/cap/${token}`), expiresAt };
}

/** Rejects with `not_found`. */
export async function existing(id: string, store: Pick<DocumentStore, 'get'>): Promise<Manifest> {
  const found = await store.get(id);
  if (!found) throw new AppError('not_found', 'The document was removed, or never existed.');
  return found;
}

/** An address of the canvas, or an https page, as a client frames it. Rejects with `not_found`, `denied`. */
export async function openAddress(url: string, agentId: string, deps: CanvasAddressesDeps): Promise<Opened> {
  const path = canvasPath(url);
  if (path === undefined) return openExternal(url, deps);
  const id = documentIdOf(path);
  const manifest = id === undefined ? undefined : await existing(id, deps.store);
  if (id === undefined) await writeFirstPage(deps.folders.of(agentId), deps.log);
  const allowed = deps.controlUi().embedSandbox;
  const sandbox = strictest(allowed, manifest?.cspSandbox ?? allowed);
  // Only elsewhere can a page have an origin that reaches nothing of ours.
  const port = sandbox === 'trusted' ? deps.ownPort() : undefined;
  const { path: address, expiresAt } = await withToken(path, { agentId, forMs: OPEN_MS }, deps);
  return present({
    path: address,
    port,
    sandbox: sandboxTokens({ sandbox, ownOrigin: port !== undefined }),
    title: manifest?.title,
    preferredHeight: manifest?.preferredHeight,
    expiresAt,
  });
}

function openExternal(url: string, { controlUi }: Pick<CanvasAddressesDeps, 'controlUi'>): Opened {
  const { allowExternalEmbedUrls, embedSandbox } = controlUi();
  if (!isPublicPage(url)) throw new AppError('denied', 'Only documents of this gateway and https pages can be shown.');
  if (!allowExternalEmbedUrls)
    throw new AppError(
      'denied',
      'Pages of other sites are not shown inside answers: gateway.controlUi.allowExternalEmbedUrls is off.',
    );
  return { url, sandbox: sandboxTokens({ sandbox: embedSandbox, ownOrigin: true }) };
}

const BLOCK = { kind: 'canvas', surface: 'assistant_message', render: 'url' } as const;

/** What an embed of an answer shows; undefined: nothing here. */
export async function findEmbed(
  { ref, url, title, height }: EmbedRequest,
  sessionKey: string,
  deps: CanvasAddressesDeps,
): Promise<ShownEmbed | undefined> {
  if (!deps.config().enabled) return undefined;
  const input = present({ title, preferredHeight: height });
  const path = url === undefined ? undefined : canvasPath(url);
  if (url !== undefined && path === undefined) {
    if (!deps.controlUi().allowExternalEmbedUrls || !isPublicPage(url)) return undefined;
    return { preview: { ...BLOCK, url: new URL(url).href, ...present({ viewId: ref }), ...input }, link: url };
  }
  const id = path === undefined ? ref : documentIdOf(path);
  if (path !== undefined && id === undefined) return { preview: { ...BLOCK, url: path, ...input } };
  const manifest = id === undefined ? undefined : await deps.store.get(id);
  if (!manifest) return undefined;
  const preview = { ...previewOf(manifest), ...present({ url: path }), ...input };
  // A link is for whoever reads it: nobody gets one to what another conversation made.
  const link = manifest.retentionScope === sessionKey ? await linkTo(preview.url, manifest.agentId, deps) : undefined;
  return present({ preview, link });
}

async function linkTo(path: string, agentId: string, deps: CanvasAddressesDeps): Promise<string | undefined> {
  const { publicUrl } = deps.config();
  if (publicUrl === undefined) return undefined;
  return publicUrl.replace(/(?<!\/)\/+$/, '') + (await withToken(path, { agentId, forMs: LINK_MS }, deps)).path;
}

/** The Control UI itself is a page of this machine, which no answer may put into a frame. */
function isPublicPage(url: string): boolean {
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { hostname, username, password } = new URL(url);
  const isLocal = /^[\d.]+$|^\[|\.(?:local|localhost|internal)\.?$/i.test(hostname);
  return !username && !password && hostname.includes('.') && !isLocal;
}
