/**
 * Runs imsg as a child process, on this machine or on a Mac over ssh: restarted when it ends; messages continue from a
 * cursor.
 */
import {
  AppError,
  backoff,
  head,
  markHandled,
  jittered,
  orTimeout,
  pause,
  present,
  runProgram,
  type ProgramEnd,
  type ProgramRequest,
} from '../../sdk/index.ts';
import { readLocalFile, scratchFile } from '../../sdk/local-file.ts';
import type { Backend, BackendDeps, OutgoingMessage } from './backend.ts';
import type { ImessageConfig } from './config.ts';
import type { Target } from './handles.ts';
import { readImsgMessage } from './imsg-message.ts';
import { ACCESS_FIX, openImsgRpc, type ImsgRpc } from './imsg-rpc.ts';
import { kindOf } from './tapbacks.ts';

type Json = Readonly<Record<string, unknown>>;

const BACKOFF_MS = { first: 250, max: 10_000 } as const;
/** Ends this soon after each start count as a loop. */
const QUICK_MS = 10_000;
const MAX_QUICK = 5;
const FILE_MS = 120_000;
/** For one that is being started again. */
const WAIT_MS = 8000;
const MAX_CHATS = 200;
const HISTORY = 40;

interface Shared {
  readonly deps: BackendDeps;
  /** The one that runs. */
  rpc: ImsgRpc | undefined;
  /** The next one that does; rejects where there is none any more. */
  next: PromiseWithResolvers<ImsgRpc>;
  /** Chats of people, by handle. */
  readonly chats: Map<string, number>;
  bridge: boolean;
}

/** Whoever waits is told; nobody has to. */
function nobody(): PromiseWithResolvers<ImsgRpc> {
  const next = Promise.withResolvers<ImsgRpc>();
  void markHandled(next.promise);
  return next;
}

export async function openImsg(deps: BackendDeps): Promise<Backend> {
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const shared: Shared = { deps, rpc: undefined, next: nobody(), chats: new Map(), bridge: false };
  const ready = Promise.withResolvers<void>();
  const running = run(shared, signal, ready).catch((error: unknown) => {
    ready.reject(error);
  });
  try {
    await ready.promise;
  } catch (error) {
    stop.abort();
    await shared.rpc?.[Symbol.asyncDispose]();
    await running;
    throw error;
  }
  return {
    mode: deps.account.config.remoteHost === undefined ? 'imsg' : 'ssh',
    ...abilities(shared),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await shared.rpc?.[Symbol.asyncDispose]();
      await running;
    },
  };
}

const SSH = ['-T', '-o', 'BatchMode=yes', '-o', 'ServerAliveInterval=15', '-o', 'ServerAliveCountMax=3'];
/** For the shell of the other machine. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function programOf({
  cliPath,
  dbPath,
  remoteHost,
}: ImessageConfig): Pick<ProgramRequest, 'command' | 'args' | 'pass'> {
  const args = ['rpc', ...(dbPath === undefined ? [] : ['--db', dbPath])];
  if (remoteHost === undefined) return { command: cliPath, args };
  return {
    command: 'ssh',
    args: [...SSH, remoteHost, [cliPath, ...args].map(quoted).join(' ')],
    pass: ['SSH_AUTH_SOCK'],
  };
}

async function run(shared: Shared, signal: AbortSignal, ready: PromiseWithResolvers<void>): Promise<void> {
  const { deps } = shared;
  for (let [quick, times] = [0, 0]; !signal.aborted; times += 1) {
    const began = performance.now();
    const error = await once(shared, signal, () => {
      times = 0;
      ready.resolve();
    });
    shared.rpc = undefined;
    if (signal.aborted) break;
    quick = performance.now() - began < QUICK_MS ? quick + 1 : 0;
    ready.reject(error); // of no effect once it was ready
    deps.onDown(error);
    const loop = quick >= MAX_QUICK;
    if (error.code === 'auth' || loop) {
      const last = loop ? new AppError(error.code, `imsg ended ${quick} times in a row. ${error.message}`) : error;
      shared.next.reject(last);
      return deps.fail(last);
    }
    await pause(jittered(backoff(BACKOFF_MS, times), [0.5, 1], Math.random()), signal);
  }
  const stopped = new AppError('aborted', 'The account was stopped.');
  shared.next.reject(stopped);
  ready.reject(stopped);
}

/** Runs it once; why it ended. */
async function once(shared: Shared, signal: AbortSignal, up: () => void): Promise<AppError> {
  const { deps } = shared;
  const over: { error?: AppError } = {};
  try {
    await using rpc = await openImsgRpc(programOf(deps.account.config), {
      onNotification: (method, params) => notified(shared, method, params),
      onAlive: deps.onAlive,
      onMalformed: (bytes) => deps.account.log.warn('imessage.malformed', { bytes }),
    });
    shared.rpc = rpc;
    const closing = (): void => void rpc[Symbol.asyncDispose]();
    signal.addEventListener('abort', closing, { once: true });
    try {
      const self = await prepare(shared, rpc);
      await subscribe(shared, rpc, deps.cursor());
      deps.onUp(self);
      shared.next.resolve(rpc);
      up();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      over.error = error;
      await rpc[Symbol.asyncDispose]();
    }
    const end = await rpc.ended;
    shared.next = nobody();
    signal.removeEventListener('abort', closing);
    return over.error && !/before it answered/.test(over.error.message)
      ? over.error
      : endError(end, deps.account.config);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fix = 'Install it on the Mac (brew install steipete/tap/imsg) and set channels.imessage.cliPath.';
    return new AppError(error.code, `imsg does not start: ${error.message} ${fix}`, { cause: error });
  }
}

/** Who we are, and whether Messages can be read at all. */
async function prepare(shared: Shared, rpc: ImsgRpc): Promise<string> {
  const status = (await rpc.call('status')) as
    | {
        readonly database?: { readonly ready?: boolean; readonly error?: string };
        readonly bridge?: { readonly ready?: boolean };
      }
    | undefined;
  shared.bridge = status?.bridge?.ready === true;
  if (status?.database?.ready === false)
    throw new AppError(
      'auth',
      `imsg cannot read Messages (${head(status.database.error ?? 'no reason given', 200)}). ${ACCESS_FIX}`,
    );
  const found = (await rpc.call('chats.list', { limit: MAX_CHATS })) as
    | { readonly chats?: readonly Json[] }
    | undefined;
  for (const { id, identifier, is_group: group } of found?.chats ?? [])
    if (group !== true && typeof id === 'number' && typeof identifier === 'string') shared.chats.set(identifier, id);
  const login = found?.chats?.map(({ account_login: one }) => one).find((one) => typeof one === 'string' && one !== '');
  return typeof login === 'string' ? login.replace(/^[EP]:/, '').toLowerCase() : 'me';
}

async function subscribe({ deps }: Shared, rpc: ImsgRpc, since: number | undefined): Promise<void> {
  const { includeAttachments: attachments } = deps.account.config;
  await rpc.call('watch.subscribe', present({ attachments, include_reactions: true, since_rowid: since }));
}

function notified(shared: Shared, method: string, params: Json): void {
  const { deps, rpc } = shared;
  if (method === 'message') {
    const message = readImsgMessage(params['message']);
    if (!message) return deps.account.log.warn('imessage.malformed', { method });
    if (!message.chat.group && message.chat.id !== undefined) shared.chats.set(message.sender, message.chat.id);
    deps.onMessage(message);
  } else if (method === 'watch.overflow' && typeof params['resume_after_rowid'] === 'number') {
    // It ended this subscription; what follows is there still.
    void (rpc && subscribe(shared, rpc, params['resume_after_rowid']).catch(() => rpc[Symbol.asyncDispose]()));
  } else if (method === 'error') void rpc?.[Symbol.asyncDispose]();
}

function endError({ code, signalName, lastLine }: ProgramEnd, { remoteHost }: ImessageConfig): AppError {
  const said = head(lastLine.split('\n').filter(Boolean).slice(-2).join(' | '), 300);
  if (/unknown (?:sub)?command|unrecognized (?:sub)?command|unexpected argument 'rpc'/i.test(said))
    return new AppError('auth', `This imsg has no \`rpc\` (${said}). Update it: brew upgrade imsg.`);
  if (remoteHost !== undefined && /permission denied \(|host key verification/i.test(said))
    return new AppError(
      'auth',
      `ssh does not let the gateway into ${remoteHost}: ${said}. Set up a key that needs no password.`,
    );
  const where = remoteHost === undefined ? '' : ` on ${remoteHost}`;
  return new AppError('unavailable', `imsg${where} ended (${signalName ?? `code ${code}`})${said ? `: ${said}` : ''}.`);
}

function abilities(shared: Shared): Omit<Backend, 'mode' | typeof Symbol.asyncDispose> {
  const call = async (method: string, params: Json, signal?: AbortSignal): Promise<unknown> => {
    const late = () => new AppError('unavailable', 'imsg does not run; it is started again.');
    const rpc = await orTimeout(shared.next.promise, { ms: WAIT_MS, error: late });
    return rpc.call(method, params, signal);
  };
  const target = (guid: string, to: Target): Json => ({ ...chatOf(to, shared), message_guid: guid });
  return {
    send: async (to, message) => send(shared, call, to, message),
    edit: async (to, guid, text) => void (await call('message.edit', { ...target(guid, to), text })),
    unsend: async (to, guid) => void (await call('message.unsend', target(guid, to))),
    async tapback(to, guid, { emoji, remove }) {
      const kind = kindOf(emoji);
      const name = kind === undefined ? { emoji } : { reaction: kind === 'emphasize' ? 'emphasis' : kind };
      await call('tapback', { ...target(guid, to), ...name, ...present({ remove: remove || undefined }) });
    },
    read: async (to) => void (await call('read', selectorOf(to))),
    typing: async (to) => void (await call('typing', selectorOf(to))),
    async recent(to, since) {
      const selector = chatIdOf(to, shared);
      if (selector === undefined) return undefined;
      const start = new Date(since).toISOString();
      const found = (await call('messages.history', { chat_id: selector, limit: HISTORY, start })) as
        | { readonly messages?: readonly unknown[] }
        | undefined;
      return (found?.messages ?? []).flatMap((one) => readImsgMessage(one) ?? []);
    },
    download: (ref, limits) => download(shared.deps.account.config, ref, limits),
    async probe(signal) {
      try {
        const status = (await call('status', {}, signal)) as { readonly version?: string } | undefined;
        return present({ ok: true, detail: status?.version && `imsg ${status.version}` });
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}

function chatIdOf(to: Target, { chats }: Shared): number | undefined {
  if (to.kind === 'direct') return chats.get(to.handle);
  return 'chatId' in to ? to.chatId : undefined;
}

const selectorOf = (to: Target): Json => {
  if (to.kind === 'direct') return { to: to.handle };
  return 'chatId' in to ? { chat_id: to.chatId } : { chat_guid: to.guid };
};

/** For what acts on a message of a chat that is there. */
function chatOf(to: Target, shared: Shared): Json {
  if (to.kind === 'group') return selectorOf(to);
  const id = chatIdOf(to, shared);
  return id === undefined ? { chat_identifier: to.handle } : { chat_id: id };
}

type Call = (method: string, params: Json) => Promise<unknown>;

async function send(shared: Shared, call: Call, to: Target, message: OutgoingMessage): Promise<string | undefined> {
  const { config, stateDir } = shared.deps.account;
  // Replies and voice notes go by the bridge alone; without it the words matter more.
  const replyTo = shared.bridge ? message.replyTo : undefined;
  const base = {
    ...selectorOf(to),
    ...(to.kind === 'direct'
      ? { service: to.service, region: config.region, allow_sms_fallback: config.smsFallback }
      : undefined),
    ...present({ text: message.text || undefined, reply_to: replyTo }),
  };
  if (!message.file) return guidIn(await call('send', base));
  await using staged = await stage(config, stateDir, message.file);
  const voice = message.voice && shared.bridge && message.text === '';
  return guidIn(
    voice
      ? await call('send.attachment', { ...chatOf(to, shared), file: staged.path, audio: true })
      : await call('send', { ...base, file: staged.path }),
  );
}

function guidIn(answer: unknown): string | undefined {
  const { guid, message_id: id } = (answer ?? {}) as Json;
  return typeof guid === 'string' ? guid : typeof id === 'string' ? id : undefined;
}

/** Where imsg can read it. */
async function stage(
  { remoteHost }: ImessageConfig,
  stateDir: string,
  file: { readonly data: Uint8Array; readonly name: string },
): Promise<{ readonly path: string } & AsyncDisposable> {
  if (remoteHost === undefined) return scratchFile(stateDir, file);
  const name =
    file.name
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '_')
      .slice(-80) || 'file';
  const remote = (script: string, input?: Uint8Array): Promise<Buffer> =>
    runProgram({
      command: 'ssh',
      args: [...SSH, remoteHost, script],
      pass: ['SSH_AUTH_SOCK'],
      timeoutMs: FILE_MS,
      maxOutputBytes: 4096,
      signal: AbortSignal.timeout(FILE_MS),
      ...present({ input }),
    });
  const made = await remote(`dir=$(mktemp -d) && cat > "$dir"/${quoted(name)} && printf %s "$dir"`, file.data);
  const dir = made.toString('utf8').trim();
  if (!/^\/[\w./-]+$/.test(dir)) throw new AppError('bad_response', `${remoteHost} named no folder for the file.`);
  return {
    path: `${dir}/${name}`,
    async [Symbol.asyncDispose]() {
      await remote(`rm -rf ${quoted(dir)}`);
    },
  };
}

async function download(
  { remoteHost, attachmentRoots }: ImessageConfig,
  path: string,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<{ readonly data: Uint8Array }> {
  if (remoteHost === undefined) return { data: await readLocalFile(path, attachmentRoots, maxBytes) };
  const data = await runProgram({
    command: 'ssh',
    args: [...SSH, remoteHost, `cat -- ${quoted(path)}`],
    pass: ['SSH_AUTH_SOCK'],
    timeoutMs: FILE_MS,
    maxOutputBytes: maxBytes,
    signal,
  });
  return { data };
}
