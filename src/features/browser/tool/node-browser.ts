/** The browser of a paired node: sends calls of the control service through its command `browser.proxy`. */
import { basename } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { RecordAccess } from '../../../core/may.ts';
import type { Turn } from '../../../core/turn.ts';
import type { NodeCommands, OfferingNode } from '../../../host/node-commands.ts';
import type { Caller } from '../caller.ts';
import type { BrowserConfig } from '../config.ts';
import type { BrowserCall } from '../routes/route.ts';
import { text, type Params } from '../web-page/act-request.ts';
import { stageFile } from '../web-page/staged.ts';

export type CallAway = (call: BrowserCall, signal: AbortSignal) => Promise<Params>;

export interface NodeBrowserDeps {
  readonly turn: Turn;
  readonly keep: RecordAccess | undefined;
  readonly caller: Extract<Caller, { readonly kind: 'session' }>;
  commands(): NodeCommands | undefined;
  config(): BrowserConfig;
}

export interface NodeBrowser {
  /** Resolves the node: the named one, the configured one, or the only one. Throws `AppError` if there is none. */
  named(node: string | undefined): CallAway;
  /** The node of a call without a target; undefined: it runs on the gateway. */
  usual(): CallAway | undefined;
}

const COMMAND = 'browser.proxy';
/** Timeout of one call in milliseconds: the longest wait, plus the transfer. */
const TIMEOUT_MS = 150_000;
const MAX_FILE = 10 * 1024 * 1024;
const MAX_FILES = 10;

export function createNodeBrowser(deps: NodeBrowserDeps): NodeBrowser {
  const { commands, config } = deps;
  const offering = (): readonly OfferingNode[] => commands()?.offering(COMMAND) ?? [];
  return {
    named(node) {
      const { mode, id } = config().node;
      if (mode === 'off')
        throw new AppError(
          'denied',
          'Browsers of nodes are switched off. Leave out target and node: the browser runs beside the gateway. The ' +
            'owner can set browser.node.mode to manual.',
        );
      return through(node ?? id ?? onlyOne(offering()).id, deps);
    },
    usual() {
      const { mode, id } = config().node;
      if (mode !== 'auto') return undefined;
      const found = offering();
      const one = id ?? (found.length === 1 ? found[0]!.id : undefined);
      return one === undefined ? undefined : through(one, deps);
    },
  };
}

function onlyOne(found: readonly OfferingNode[]): OfferingNode {
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const names = found.map(({ name }) => name).join(', ');
  throw new AppError(
    only ? 'invalid' : 'unavailable',
    only
      ? `Several nodes offer a browser (${names}). Name one with node, or have the owner set browser.node.id.`
      : 'No connected node offers a browser that was approved. Leave out target and node: the browser runs beside ' +
          'the gateway.',
  );
}

const through =
  (node: string, { turn, keep, caller, commands }: NodeBrowserDeps): CallAway =>
  async ({ method, path, query = {}, body = {}, files = [] }, signal) => {
    const service = commands();
    if (!service) throw new AppError('unsupported', 'This gateway has no nodes.');
    const payloads = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, data: buffer.toString('base64') }));
    const { sessionKey, sessionId } = caller;
    const profile = text(query, 'profile') ?? text(body, 'profile');
    const params = present({
      method,
      path,
      query,
      body:
        method === 'GET' ? undefined : { ...body, ...present({ files: payloads.length > 0 ? payloads : undefined }) },
      profile,
      timeoutMs: TIMEOUT_MS,
      owner: { sessionKey, sessionId },
    });
    const payload = await service.call({
      turn,
      keep,
      node,
      command: COMMAND,
      params,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
    return withFiles(payload, caller.files);
  };

/** Stores the files of the answer with the files of the caller, and renames them in the answer. */
async function withFiles(payload: unknown, folder: string): Promise<Params> {
  const { result, files } = isObject(payload) ? payload : {};
  if (!isObject(result)) throw new AppError('bad_response', 'The node did not answer as a browser does.');
  const here = new Map<string, string>();
  const listed = Array.isArray(files) ? (files as readonly unknown[]).filter(isObject) : [];
  for (const { path, base64 } of listed.slice(0, MAX_FILES)) {
    if (typeof path !== 'string' || typeof base64 !== 'string') continue;
    if (base64.length > (MAX_FILE * 4) / 3 + 4)
      throw new AppError('too_large', 'A file of the node has more than 10 MiB; ask for less.');
    here.set(path, await stageFile(folder, basename(path.replaceAll('\\', '/')), Buffer.from(base64, 'base64')));
  }
  const moved = (one: Params, field: string): Params => {
    const there = one[field];
    if (typeof there !== 'string') return one;
    const { [field]: _there, ...rest } = one;
    const path = here.get(there);
    // A path of the other machine would refer to a file of this one, so it is removed.
    return path === undefined ? rest : { ...rest, [field]: path };
  };
  const whole = moved(moved(result, 'path'), 'imagePath');
  return isObject(whole['download']) ? { ...whole, download: moved(whole['download'], 'path') } : whole;
}

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
