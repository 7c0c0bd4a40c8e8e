/** `browser.proxy` on a node: runs one call of the control service, and returns its answer with its files. */
import { isAbsolute, join, relative } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { setNewest } from '../../../core/bounded-map.ts';
import { silentLog } from '../../../core/log.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Env } from '../../../platform/env.ts';
import { readBytesIfExists, removeIfExists } from '../../../platform/files.ts';
import { ownUser } from '../../../platform/own-user.ts';
import { createBrowserCore } from '../browser-core.ts';
import { createBrowserService } from '../browser-service.ts';
import type { Caller } from '../caller.ts';
import type { BrowserConfig } from '../config.ts';
import { createEgress } from '../guard/egress.ts';
import { fileOf } from '../methods.ts';
import { text, type Params } from '../web-page/act-request.ts';

export interface BrowserProxy {
  /** Rejects with `AppError` and a message for the caller. */
  call(params: unknown, signal: AbortSignal): Promise<ProxyAnswer>;
  close(): Promise<void>;
}

/** The answer format of existing nodes: paths in `result` refer to files in the list. */
export interface ProxyAnswer {
  readonly result: Params;
  readonly files?: readonly { readonly path: string; readonly base64: string }[];
}

export interface BrowserProxyDeps {
  readonly env: Env;
  readonly config: BrowserConfig;
}

const values = z.record(z.string(), z.unknown());
const callParams = z.looseObject({
  method: z.enum(['GET', 'POST', 'DELETE']).default('GET'),
  path: z.string().min(1).max(2048),
  query: values.nullish(),
  body: values.nullish(),
  profile: z.string().max(64).nullish(),
  /** The owner of the tabs at the gateway; absent: the operator, who sees all tabs. */
  owner: z.object({ sessionKey: z.string().min(1).max(1024), sessionId: z.string().min(1).max(256) }).nullish(),
});

const MAX_FILE = 10 * 1024 * 1024;
const MAX_OWNERS = 10_000;

export function createBrowserProxy({ env, config }: BrowserProxyDeps): BrowserProxy {
  const folder = join(env.stateDir, 'node', 'browser');
  const files = join(folder, '.files');
  /** The current transcript of each session; tabs of earlier transcripts are closed. */
  const transcripts = new Map<string, string>();
  const core = createBrowserCore({
    clock: systemClock,
    log: silentLog,
    vars: env.vars,
    system: { linux: process.platform === 'linux', isRoot: ownUser()?.uid === 0 },
    egress: createEgress({ log: silentLog, vars: env.vars, policy: () => config.ssrfPolicy, upstream: undefined }),
    folder,
    config: () => config,
    range: () => 'system',
    controlUrl: () => undefined,
    sessionId: async (key) => transcripts.get(key),
    filesOf: () => files,
    changed: () => undefined,
  });
  const service = createBrowserService({ core, store: { edit: readOnly, snapshot: readOnly } });
  return {
    async call(params, signal) {
      const read = callParams.safeParse(params);
      if (!read.success) throw new AppError('invalid', `browser.proxy: ${z.prettifyError(read.error)}`);
      const { method, path, query, body, profile, owner } = read.data;
      const { files: uploads, ...rest } = body ?? {};
      if (owner) setNewest(transcripts, owner.sessionKey, owner.sessionId, MAX_OWNERS);
      const caller: Caller = owner
        ? { kind: 'session', agentId: 'node', ...owner, files }
        : { kind: 'operator', files };
      const call = {
        method,
        path,
        query: { ...present({ profile: profile || undefined }), ...query },
        body: rest,
        files: Array.isArray(uploads) ? uploads.flatMap(fileOf) : [],
      };
      return withFiles(await service.call(call, { caller, signal }), files);
    },
    close: () => service.close(),
  };
}

const readOnly = (): never => {
  throw new AppError('unsupported', 'Profiles of a node are written in its node.json (`browser.profiles`).');
};

/** Adds each file in our folder that the answer refers to, once. */
async function withFiles(result: Params, folder: string): Promise<ProxyAnswer> {
  const download = result['download'];
  const named = [
    text(result, 'path'),
    text(result, 'imagePath'),
    typeof download === 'object' && download !== null ? text(download as Params, 'path') : undefined,
  ];
  const paths = named.filter((path) => path !== undefined).filter((path) => isInside(path, folder));
  const files = await Promise.all(paths.map(sent));
  return files.length === 0 ? { result } : { result, files: files.flat() };
}

async function sent(path: string) {
  const data = await readBytesIfExists(path);
  await removeIfExists(path);
  if (!data) return [];
  if (data.length > MAX_FILE)
    throw new AppError('too_large', `The file has ${data.length} bytes; a node sends at most ${MAX_FILE}.`);
  return [{ path, base64: data.toString('base64') }];
}

function isInside(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== '' && !below.startsWith('..') && !isAbsolute(below);
}
