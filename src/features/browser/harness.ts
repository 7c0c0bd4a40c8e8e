/** Fixture of the browser tests: a real headless Chromium, own pages, callers. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Resolve } from '../../platform/net/guard/guard.ts';
import { createFakeConfigStore } from '../../testing/fake-config-store.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createBrowserCore, type BrowserCore } from './browser-core.ts';
import { createBrowserService, type BrowserService } from './browser-service.ts';
import type { Caller } from './caller.ts';
import { browserConfigSchema, type BrowserConfig } from './config.ts';
import type { FileToGive } from './driver/hooks.ts';
import { createEgress } from './guard/egress.ts';
import type { PortRange } from './profiles/profile-ports.ts';
import { startFakePages, type FakePages } from './fake-pages.ts';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
export const CHROMIUM = NAMES.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** The `skip` option of `describe`: the reason, or false. */
export const skipWithoutChromium =
  CHROMIUM === undefined ? 'no Chromium here; install it with: apt-get install chromium-headless-shell' : false;

export interface Harness extends AsyncDisposable {
  readonly pages: FakePages;
  readonly core: BrowserCore;
  readonly service: BrowserService;
  readonly folder: string;
  /** The DevTools ports, if the test requested fixed ones. */
  readonly range: PortRange;
  /** The current transcripts of sessions. */
  readonly sessions: Map<string, string>;
  session(name: string): Caller;
  /** Calls as the session `me`, unless another caller is given. */
  call<T = any>(method: string, path: string, given?: object, options?: CallOptions): Promise<T>;
  /** The snapshot of the page, as text. */
  see(given?: object): Promise<string>;
  /** The ref of the first line with this text. */
  ref(text: string | RegExp, given?: object): Promise<string>;
  act<T = any>(given: object, options?: CallOptions): Promise<T>;
  /** Replaces the configuration. */
  configure(config: object): void;
  /** The process of a profile's browser that holds its pages. */
  browserPid(profile?: string): Promise<number>;
}

export interface HarnessOptions {
  /** Uses a fixed range of DevTools ports, for tests of these ports; otherwise the system chooses them. */
  readonly fixedPorts?: boolean;
  /** DNS for pages; by default every name resolves to 127.0.0.1. */
  readonly resolve?: Resolve;
}

export interface CallOptions {
  readonly caller?: Caller;
  readonly files?: readonly FileToGive[];
  readonly signal?: AbortSignal;
}

const ON_LOOPBACK: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
const never = new AbortController().signal;

export async function openHarness(
  config: object = {},
  { fixedPorts = false, resolve = ON_LOOPBACK }: HarnessOptions = {},
): Promise<Harness> {
  const [dir, pages] = await Promise.all([tempDir('browser'), startFakePages()]);
  const range = fixedPorts ? await freeRange() : { first: 0, last: 0 };
  const here = { ssrfPolicy: { allowRanges: ['127.0.0.1/32'] }, executablePath: CHROMIUM, headless: true };
  const store = createFakeConfigStore({ browser: { ...here, ...config } });
  const current = (): BrowserConfig =>
    browserConfigSchema.parse((store.current() as { readonly browser: object }).browser);
  const sessions = new Map<string, string>([['me', 'me-1']]);
  const egress = createEgress({
    log: silentLog,
    vars: {},
    policy: () => current().ssrfPolicy,
    upstream: undefined,
    resolve,
  });
  const core = createBrowserCore({
    clock: systemClock,
    log: silentLog,
    vars: { PATH: process.env['PATH'] ?? '', HOME: dir.path },
    system: { linux: process.platform === 'linux', isRoot: process.getuid?.() === 0 },
    egress,
    folder: join(dir.path, 'browser'),
    config: current,
    range: () => (fixedPorts ? range : 'system'),
    controlUrl: () => undefined,
    sessionId: async (key) => sessions.get(key),
    changed: () => undefined,
    filesOf: (owner) => join(dir.path, 'files', owner?.sessionKey ?? 'operator'),
  });
  const service = createBrowserService({ core, store: store as never });
  const session = (name: string): Caller => ({
    kind: 'session',
    agentId: 'main',
    sessionKey: name,
    sessionId: sessions.get(name) ?? `${name}-1`,
    files: join(dir.path, 'files', name),
  });
  const call: Harness['call'] = (method, path, given = {}, { caller = session('me'), files, signal = never } = {}) =>
    service.call(
      { method, path, ...(method === 'GET' ? { query: given as never } : { body: given as never }), files },
      { caller, signal },
    ) as never;
  const see: Harness['see'] = async (given) => (await call('GET', '/snapshot', given)).snapshot;
  return {
    pages,
    core,
    service,
    folder: dir.path,
    range,
    sessions,
    session,
    call,
    see,
    act: (given, options) => call('POST', '/act', given, options),
    async ref(text, given) {
      const snapshot = await see(given);
      const line = snapshot
        .split('\n')
        .find((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)) && one.includes('[ref='));
      assert.ok(line, `${text} is not in\n${snapshot}`);
      return /\[ref=([^\]]+)\]/.exec(line)![1]!;
    },
    async browserPid(profile = 'clawd') {
      const record = JSON.parse(await readFile(join(dir.path, 'browser', profile, 'running.json'), 'utf8'));
      return record.processes.at(-1).pid;
    },
    configure: (next) => void store.replace(JSON.stringify({ browser: { ...here, ...config, ...next } })),
    async [Symbol.asyncDispose]() {
      await service.close();
      await pages[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

/**
 * Ten unused ports in a row, below the range from which the system chooses, at an offset derived from the process id,
 * so that parallel tests use different ones.
 */
async function freeRange(): Promise<PortRange> {
  for (let turn = process.pid; ; turn += 7) {
    const first = 20_000 + (turn % 1200) * 10;
    const taken = await Promise.all(Array.from({ length: 10 }, (_, at) => isTaken(first + at)));
    if (!taken.includes(true)) return { first, last: first + 9 };
  }
}

async function isTaken(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}

/** For `assert.rejects`. */
export const fails = (code: string, says: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError, String((error as Error)?.stack));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, says);
  return true;
};
