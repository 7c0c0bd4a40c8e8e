/** The canvas as one thing: documents, the addresses they are read at, and where those are served. */
import { join } from 'node:path';
import { canvasPath, documentIdOf, type EmbedRequest, type ShownEmbed } from '../../core/canvas.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../core/log.ts';
import type { CanvasAnswers } from './answers.ts';
import { createCapabilities } from './capability.ts';
import type { CanvasConfig } from './config.ts';
import { createDocumentStore } from './documents/document-store.ts';
import { previewOf, type Manifest, type Sandbox } from './documents/manifest.ts';
import { writeFirstPage } from './serve/first-page.ts';
import { sandboxTokens, strictest } from './serve/policy.ts';
import type { CanvasFolders } from './serve/serve-canvas.ts';

export interface CanvasDeps {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Log;
  config(): CanvasConfig;
  controlUi(): { readonly embedSandbox: Sandbox; readonly allowExternalEmbedUrls: boolean };
  readonly folders: CanvasFolders;
  /** Clients are told that something is another one now. */
  changed(id: string): void;
}

/** A page of the Control UI stays open for long; what it shows is asked for anew. */
const OPEN_MS = 12 * 3_600_000;
const LINK_MS = 7 * 24 * 3_600_000;

export type CanvasService = ReturnType<typeof createCanvas>;

/** What opens an address of the canvas: the answer of `canvas.open`. */
type Opened = CanvasAnswers['canvas.open'];

export function createCanvas(deps: CanvasDeps) {
  const { clock, log } = deps;
  const folder = join(deps.stateDir, 'canvas');
  const store = createDocumentStore({ folder, clock, log, limits: () => deps.config().documents });
  const capabilities = createCapabilities(folder, () => clock.now());
  const own: { port: number | undefined } = { port: undefined };

  const existing = async (id: string): Promise<Manifest> => {
    const found = await store.get(id);
    if (!found) throw new AppError('not_found', 'The document was removed, or never existed.');
    return found;
  };

  /** The same path under a token of its own. */
  async function withToken(path: string, agentId: string, forMs: number): Promise<{ path: string; expiresAt: number }> {
    const id = documentIdOf(path);
    const { token, expiresAt } = await capabilities.issue(
      id === undefined ? `canvas/${agentId}` : `document/${id}`,
      forMs,
    );
    return { path: path.replace(/^(\/__\w+__)/, `$1/cap/${token}`), expiresAt };
  }

  async function openPath(path: string, agentId: string): Promise<Opened> {
    const id = documentIdOf(path);
    const manifest = id === undefined ? undefined : await existing(id);
    if (id === undefined) await writeFirstPage(deps.folders.of(agentId), log);
    const wished = deps.controlUi().embedSandbox;
    const sandbox = strictest(wished, manifest?.cspSandbox ?? wished);
    // Only elsewhere can a page have an origin that reaches nothing of ours.
    const elsewhere = sandbox === 'trusted' && own.port !== undefined;
    const { path: address, expiresAt } = await withToken(path, agentId, OPEN_MS);
    return present({
      path: address,
      port: elsewhere ? own.port : undefined,
      sandbox: sandboxTokens({ sandbox, ownOrigin: elsewhere }),
      title: manifest?.title,
      preferredHeight: manifest?.preferredHeight,
      expiresAt,
    });
  }

  function openExternal(url: string): Opened {
    const { allowExternalEmbedUrls, embedSandbox } = deps.controlUi();
    if (!isPublicPage(url))
      throw new AppError('denied', 'Only documents of this gateway and https pages can be shown.');
    if (!allowExternalEmbedUrls)
      throw new AppError(
        'denied',
        'Pages of other sites are not shown inside answers: gateway.controlUi.allowExternalEmbedUrls is off.',
      );
    return { url, sandbox: sandboxTokens({ sandbox: embedSandbox, ownOrigin: true }) };
  }

  async function findEmbed(
    { ref, url, title, height }: EmbedRequest,
    { sessionKey }: { readonly sessionKey: string },
  ): Promise<ShownEmbed | undefined> {
    if (!deps.config().enabled) return undefined;
    const wishes = present({ title, preferredHeight: height });
    const path = url === undefined ? undefined : canvasPath(url);
    if (url !== undefined && path === undefined) {
      if (!deps.controlUi().allowExternalEmbedUrls || !isPublicPage(url)) return undefined;
      return { preview: { ...BLOCK, url: new URL(url).href, ...present({ viewId: ref }), ...wishes }, link: url };
    }
    const id = path === undefined ? ref : documentIdOf(path);
    if (path !== undefined && id === undefined) return { preview: { ...BLOCK, url: path, ...wishes } };
    const manifest = id === undefined ? undefined : await store.get(id);
    if (!manifest) return undefined;
    const preview = { ...previewOf(manifest), ...(path === undefined ? {} : { url: path }), ...wishes };
    // A link is for whoever reads it: nobody gets one to what another conversation made.
    const link = manifest.retentionScope === sessionKey ? await linkTo(preview.url, manifest.agentId) : undefined;
    return present({ preview, link });
  }

  async function linkTo(path: string, agentId: string): Promise<string | undefined> {
    const { publicUrl } = deps.config();
    if (publicUrl === undefined) return undefined;
    return publicUrl.replace(/\/+$/, '') + (await withToken(path, agentId, LINK_MS)).path;
  }

  return {
    store,
    capabilities,
    folders: deps.folders,
    existing,
    embeds: { find: findEmbed },
    /** Told when its own port is open, and when it is closed. */
    listensOn: (port: number | undefined): void => void (own.port = port),
    changed: deps.changed,
    /** An address of the canvas, or an https page, as a client frames it. Rejects with `not_found`, `denied`. */
    open: async (url: string, agentId: string): Promise<Opened> => {
      const path = canvasPath(url);
      return path === undefined ? openExternal(url) : openPath(path, agentId);
    },
    rules: () => ({
      sandbox: deps.controlUi().embedSandbox,
      external: deps.controlUi().allowExternalEmbedUrls,
      liveReload: deps.config().liveReload,
    }),
  };
}

const BLOCK = { kind: 'canvas', surface: 'assistant_message', render: 'url' } as const;

/** The Control UI itself is a page of this machine, which no answer may put into a frame. */
function isPublicPage(url: string): boolean {
  if (!/^https:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { hostname, username, password } = new URL(url);
  return (
    !username &&
    !password &&
    hostname.includes('.') &&
    !/^[\d.]+$|^\[|\.(?:local|localhost|internal)\.?$/i.test(hostname)
  );
}
