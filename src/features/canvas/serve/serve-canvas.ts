/**
 * Answers requests for documents and canvas folders: only with a valid token for exactly that content, always from the
 * current files, and never outside their folder.
 */
import { basename, join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { HttpRequest } from '../../../host/http/surface.ts';
import { realPathIfExists } from '../../../platform/files.ts';
import { readPart, readReachable, statReachable } from '../../../platform/read-inside.ts';
import type { PathBounds } from '../../../platform/inside.ts';
import type { Capabilities } from '../capability.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import type { Sandbox } from '../documents/manifest.ts';
import { readAddress, type CanvasAddress } from './canvas-address.ts';
import { injected, NO_PAGE, pageScript } from './inject.ts';
import { pageHeaders, selfSource, strictest } from './policy.ts';
import { webTypeOf } from './web-type.ts';

/** A request as both ports have it. */
export type CanvasRequest = Pick<HttpRequest, 'method' | 'path' | 'headers' | 'res'>;

export interface ServeDeps {
  readonly store: Pick<DocumentStore, 'folder' | 'get'>;
  readonly capabilities: Pick<Capabilities, 'opens'>;
  readonly folders: CanvasFolders;
  rules(): { readonly sandbox: Sandbox; readonly external: boolean; readonly liveReload: boolean };
}

/** Where the canvas folders of agents are. */
export interface CanvasFolders {
  /** The agent a token of the folder may be of; the default agent first. */
  agents(): readonly string[];
  of(agentId: string): CanvasFolder;
}

/** The canvas folder of an agent, absolute. */
export interface CanvasFolder {
  readonly path: string;
  /**
   * The agent's own folder: nothing that lies elsewhere is served, not by way of a link either. Absent: an operator
   * chose it.
   */
  readonly workspace?: string;
}

/** What holds on the port a request came in on. */
export interface Port {
  /** Nothing else of the gateway is on its origin. */
  readonly ownOrigin: boolean;
  /** Sources of pages that may frame what is served. */
  readonly ancestors: readonly string[];
  /** Throws when the caller has not shown a secret that opens everything. */
  authorize(): void;
}

const MAX_PAGE = 20 * 1024 * 1024;
const MAX_FILE = 512 * 1024 * 1024;
/** Bytes of one answer; players ask for what follows. */
const PART = 4 * 1024 * 1024;

/** Throws `AppError`: `auth`, `not_found`, `unsupported` with what is allowed. */
export async function serveCanvas(request: CanvasRequest, port: Port, deps: ServeDeps): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new AppError('unsupported', `${request.method} is not served here; use GET, HEAD.`, {
      details: { allow: 'GET, HEAD' },
    });
  const address = readAddress(request.path);
  if (address === undefined || address === 'bad') throw nothing();
  switch (address.kind) {
    case 'live':
      return refuseLive(request.res, deps.rules().liveReload);
    case 'document':
      return serveDocument({ request, address, port, deps });
    case 'file':
      return serveFile({ request, address, port, deps });
  }
}

const nothing = (): AppError => new AppError('not_found', 'Nothing is served at this path.');

/** A page asks for it as a WebSocket. */
function refuseLive(res: HttpRequest['res'], liveReload: boolean): void {
  if (!liveReload) throw nothing();
  res.writeHead(426, { upgrade: 'websocket', connection: 'upgrade', 'content-type': 'text/plain; charset=utf-8' });
  res.end('Connect with a WebSocket.\n');
}

interface Serving<K extends CanvasAddress['kind']> {
  readonly request: CanvasRequest;
  readonly address: Extract<CanvasAddress, { kind: K }>;
  readonly port: Port;
  readonly deps: ServeDeps;
}

async function serveDocument({ request, address, port, deps }: Serving<'document'>): Promise<void> {
  const { id, token, path } = address;
  // A token of another document tells as little as one that was made up.
  if (token === undefined) port.authorize();
  else if (!(await deps.capabilities.opens(token, `document/${id}`))) throw expired();
  const manifest = await deps.store.get(id);
  if (!manifest || path === 'manifest.json') throw nothing();
  const folder = join(deps.store.folder, id);
  const rules = deps.rules();
  await send(request, {
    file: join(folder, path),
    bounds: { base: folder, roots: [folder], oneNameIn: [folder] },
    headers: headersOf(
      request,
      { address, port },
      {
        sandbox: strictest(rules.sandbox, manifest.cspSandbox ?? rules.sandbox),
        external: rules.external,
      },
    ),
    page: (html) => html,
  });
}

async function serveFile({ request, address, port, deps }: Serving<'file'>): Promise<void> {
  const agentId = await agentOf(address, { port, deps });
  const folder = deps.folders.of(agentId).path;
  const { liveReload, ...rules } = deps.rules();
  const bounds = await boundsOf(deps.folders.of(agentId));
  const target = join(folder, address.path);
  const isFolder = address.path === '' || (await kindOf(target, bounds)) === 'directory';
  // Relative addresses of a page in a folder start in it.
  if (isFolder && address.path !== '' && !request.path.endsWith('/'))
    return void request.res.writeHead(302, { location: `${request.path}/`, 'cache-control': 'no-store' }).end();
  const file = isFolder ? join(target, 'index.html') : target;
  const headers = headersOf(request, { address, port }, rules);
  if (address.path === '' && (await kindOf(file, bounds)) !== 'file')
    return answer(request, {
      status: 404,
      body: NO_PAGE,
      headers: { ...headers, 'content-type': webTypeOf('a.html') },
    });
  await send(request, {
    file,
    bounds,
    headers,
    page: (html) => injected(html, pageScript({ live: liveReload && address.token !== undefined })),
  });
}

/** An agent may put a link in the place of its canvas folder; what that leads to is not its canvas. */
export async function boundsOf({ path, workspace }: CanvasFolder): Promise<PathBounds> {
  const real = workspace === undefined ? undefined : await realPathIfExists(workspace);
  return {
    base: path,
    roots: [path],
    oneNameIn: [path],
    ...present({ realRoots: workspace === undefined ? undefined : [join(real ?? workspace, basename(path))] }),
  };
}

/** Whose folder: the token tells; without one it is the default agent's. */
async function agentOf(
  { token }: Pick<CanvasAddress, 'token'>,
  { port, deps }: Pick<Serving<'file'>, 'port' | 'deps'>,
): Promise<string> {
  const agents = deps.folders.agents();
  if (token === undefined) {
    port.authorize();
    return agents[0]!;
  }
  const opened = await agentOfToken(token, deps);
  if (opened === undefined) throw expired();
  return opened;
}

/** The agent whose canvas folder a token opens; undefined: none. */
export async function agentOfToken(
  token: string,
  { capabilities, folders }: Pick<ServeDeps, 'capabilities' | 'folders'>,
): Promise<string | undefined> {
  for (const agentId of folders.agents()) if (await capabilities.opens(token, `canvas/${agentId}`)) return agentId;
  return undefined;
}

const expired = (): AppError =>
  new AppError('denied', 'This address is not valid any more. Open it again from the Control UI.');

/** Undefined: nothing is there, or not within reach. */
async function kindOf(path: string, bounds: PathBounds): Promise<string | undefined> {
  try {
    return (await statReachable(path, bounds)).facts?.kind;
  } catch (error) {
    if (error instanceof AppError && ['denied', 'invalid', 'not_found'].includes(error.code)) return undefined;
    throw error;
  }
}

const headersOf = (
  { headers }: CanvasRequest,
  { address, port }: { readonly address: CanvasAddress; readonly port: Port },
  rules: { readonly sandbox: Sandbox; readonly external: boolean },
): Readonly<Record<string, string>> => ({
  ...pageHeaders({
    ...rules,
    ownOrigin: port.ownOrigin,
    // The page of a folder also connects to the address that tells it of changes.
    self: selfSource(headers.host, address.kind === 'file' ? address.prefix.replace(/canvas\/$/, '') : address.prefix),
    ancestors: port.ancestors,
  }),
  'cache-control': 'no-store',
});

interface Sending {
  readonly file: string;
  readonly bounds: PathBounds;
  readonly headers: Readonly<Record<string, string>>;
  page(html: string): string;
}

/** What is out of reach is not there: nobody learns what lies elsewhere. */
async function send(request: CanvasRequest, { file, bounds, headers, page }: Sending): Promise<void> {
  const type = webTypeOf(file);
  try {
    if (type.startsWith('text/html')) {
      const html = (await readReachable(file, bounds, MAX_PAGE)).toString('utf8');
      return answer(request, { status: 200, body: page(html), headers: { ...headers, 'content-type': type } });
    }
    const { range, status } = rangeOf(request.headers.range);
    const { data, size } = await readPart(file, bounds, range);
    if (size > MAX_FILE) throw new AppError('too_large', 'The file is too large to be served.');
    const whole = status === 200 && size <= data.length;
    // A file that is larger than one part is sent part by part to whoever asks so, and whole in a row to others.
    if (status === 200 && !whole) return await sendWhole(request, { file, bounds, size, type, headers });
    answer(request, {
      status: whole ? 200 : 206,
      body: data,
      headers: {
        ...headers,
        'content-type': type,
        'accept-ranges': 'bytes',
        ...present({
          'content-range': whole ? undefined : `bytes ${range.offset}-${range.offset + data.length - 1}/${size}`,
        }),
      },
    });
  } catch (error) {
    if (error instanceof AppError && ['denied', 'invalid', 'not_found'].includes(error.code)) throw nothing();
    throw error;
  }
}

async function sendWhole(
  { res, method }: CanvasRequest,
  { file, bounds, size, type, headers }: Omit<Sending, 'page'> & { readonly size: number; readonly type: string },
): Promise<void> {
  res.writeHead(200, { ...headers, 'content-type': type, 'content-length': size, 'accept-ranges': 'bytes' });
  res.removeHeader('x-frame-options');
  for (let offset = 0; method !== 'HEAD' && offset < size && !res.destroyed; ) {
    const { data } = await readPart(file, bounds, { offset, bytes: Math.min(PART, size - offset) });
    if (data.length === 0) return void res.destroy(); // it got shorter meanwhile
    offset += data.length;
    if (!res.write(data)) await drained(res);
  }
  res.end();
}

const drained = (res: HttpRequest['res']): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });

/** One range from a place on; anything else is asked for whole. */
function rangeOf(header: string | undefined): {
  readonly status: 200 | 206;
  readonly range: { readonly offset: number; readonly bytes: number };
} {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined) return { status: 200, range: { offset: 0, bytes: PART } };
  const offset = Number(from);
  const last = to === undefined || to === '' ? Infinity : Number(to);
  return { status: 206, range: { offset, bytes: Math.max(0, Math.min(PART, last - offset + 1)) } };
}

function answer(
  { res, method }: CanvasRequest,
  {
    status,
    body,
    headers,
  }: {
    readonly status: number;
    readonly body: string | Uint8Array;
    readonly headers: Readonly<Record<string, string>>;
  },
): void {
  // `frame-ancestors` says who may frame it, and more exactly.
  res.removeHeader('x-frame-options');
  res.writeHead(status, { 'x-content-type-options': 'nosniff', ...headers, 'content-length': Buffer.byteLength(body) });
  res.end(method === 'HEAD' ? undefined : body);
}
