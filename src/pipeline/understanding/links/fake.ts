/**
 * A stage for tests of links: a folder with small programs on PATH, a guard that knows a few names, and one message.
 */
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linksSchema, type LinksConfig } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import { silentLog, type LogFields } from '../../../core/log.ts';
import type { SessionKey } from '../../../core/session-key.ts';
import type { Reached } from '../../../core/understanding.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createNetGuard } from '../../../platform/net/guard/guard.ts';
import { tempDir } from '../../../testing/temp-dir.ts';
import { contextView } from '../context-view.ts';
import type { UnderstandingContext } from '../context.ts';
import { createLinks, type LinksDeps, type LinksOutcome } from './understand-links.ts';
import { NOTHING_SAID } from '../../../core/said.ts';
import { createModelPictures } from '../pictures/model-pictures.ts';

export interface LinkHarness extends AsyncDisposable {
  readonly dir: string;
  readonly deps: LinksDeps;
  /** Names asked of DNS, in order. */
  readonly asked: string[];
  readonly leases: { open: number; total: number };
  readonly logged: { readonly event: string; readonly fields: LogFields | undefined }[];
  readonly progress: string[];
  /** Folders commands left behind. */
  leftovers(): Promise<readonly string[]>;
  /** A shell script called `name`. */
  program(name: string, script: string): Promise<void>;
  read(name: string): Promise<string>;
  links(text: string, config: unknown, more?: HarnessOptions): Promise<LinksOutcome>;
}

export interface HarnessOptions {
  readonly channel?: string;
  readonly chat?: 'direct' | 'group' | 'channel';
  readonly signal?: AbortSignal;
}

export interface HarnessDeps extends Partial<LinksDeps> {
  /** Answers of DNS besides `*.example` and `*.test`, which are public. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly reached?: readonly Reached[];
}

export async function linkHarness({ names = {}, reached = [], ...more }: HarnessDeps = {}): Promise<LinkHarness> {
  const dir = await tempDir('links');
  const [bin, work] = [join(dir.path, 'bin'), join(dir.path, 'work')];
  await mkdir(bin);
  const seen = {
    asked: [] as string[],
    leases: { open: 0, total: 0 },
    logged: [] as LinkHarness['logged'],
    progress: [] as string[],
  };
  const resolve = async (name: string) => {
    seen.asked.push(name);
    const answers = names[name] ?? (/\.(example|test)$/.test(name) ? ['93.184.216.34'] : []);
    return answers.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));
  };
  const rules = () => ({ allowHosts: [], allowRanges: [] });
  const proxy = {
    lease: async () => {
      seen.leases.open++;
      seen.leases.total++;
      return {
        env: { HTTPS_PROXY: 'http://lease@127.0.0.1:1', NO_PROXY: '' },
        reached: () => reached,
        [Symbol.asyncDispose]: async () => void seen.leases.open--,
      };
    },
  };
  const vars = () => ({
    PATH: `${bin}:/usr/bin:/bin`,
    LANG: 'C',
    STAGE: dir.path,
    OPENAI_API_KEY: 'hidden',
    WIKI_TOKEN: 'wiki',
    CLAWDBOT_GATEWAY_TOKEN: 'hidden',
    NO_PROXY: '*',
  });
  const deps: LinksDeps = {
    guard: createNetGuard({ rules, resolve }),
    proxy,
    rules,
    vars,
    ownPrograms: {},
    clock: systemClock,
    tempDir: work,
    ...more,
  };
  const links = createLinks(deps);
  const log = {
    ...silentLog,
    debug: (event: string, fields?: LogFields) => void seen.logged.push({ event, fields }),
    info: (event: string, fields?: LogFields) => void seen.logged.push({ event, fields }),
  };
  return {
    ...seen,
    dir: dir.path,
    deps,
    leftovers: () => readdir(work).catch(missing),
    async program(name, script) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    },
    read: (name) => readFile(join(dir.path, name), 'utf8'),
    links: (text, config, options) =>
      links.run(
        contextOf(text, { log, progress: (line) => void seen.progress.push(line), ...options }),
        text,
        config as LinksConfig,
      ),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** As the schema reads it. */
export const linksConfig = (written: unknown): LinksConfig => linksSchema.parse(written);

function contextOf(
  text: string,
  {
    channel = 'telegram',
    chat = 'direct',
    signal = new AbortController().signal,
    log,
    progress,
  }: HarnessOptions & Pick<UnderstandingContext, 'log' | 'progress'>,
): UnderstandingContext {
  const address = { channel, accountId: 'default', chat: { kind: chat, id: '42' } };
  const message = {
    id: 'm1',
    address,
    sender: { id: '7', name: 'Ada' },
    text,
    said: NOTHING_SAID,
    attachments: [],
    addressesBot: true,
    receivedAt: 1,
  };
  const route = {
    agentId: 'main',
    sessionKey: 'agent:main:main' as SessionKey,
    matchedBy: 'default' as const,
    replyTo: address,
  };
  return {
    runId: 'r1',
    message,
    route,
    files: [],
    template: contextView({ message, route, session: {}, files: [], attachments: [], notes: [] }),
    log,
    modelPictures: createModelPictures({ signal }),
    signal,
    progress,
  };
}

function missing(error: unknown): readonly string[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw new AppError('storage', 'The folder cannot be listed.', { cause: error });
}

export const entry = (command: string, args: readonly string[] = ['{{LinkUrl}}'], more: object = {}) => ({
  command,
  args,
  ...more,
});

export const config = (models: readonly object[], more: object = {}) => linksConfig({ models, ...more });
