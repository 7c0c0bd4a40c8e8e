/**
 * A BlueBubbles server. Its webhook is only a hint: messages are read from the server in order, from a cursor, so that
 * callers of the webhook cannot forge any.
 */
import { AppError, createSerialQueue, present, pause, sameSecret, type WebhookHandler } from '../../sdk/index.ts';
import type { Backend, BackendDeps, OutgoingMessage } from './backend.ts';
import { createBlueApi, PASSWORD_FIX, type BlueApi } from './blue-api.ts';
import { readBlueMessage } from './blue-message.ts';
import type { Service, Target } from './handles.ts';
import { kindOf } from './tapbacks.ts';

const PAGE = 100;
const MAX_PAGES = 20;
const RECENT = 40;
const SEND_MS = 120_000;
const POLL_S = { alone: 3, webhook: 30 } as const;
const MAX_DELAY_MS = 30_000;
const MAX_GUID = 200;
const WITH = ['chats', 'attachments', 'handle'];

interface Shared {
  readonly deps: BackendDeps;
  readonly api: BlueApi;
  /** Private API: replies, tapbacks, edits, typing. */
  state: { helper: boolean; up: boolean /** Of the newest message that was handed on. */; from: number };
  /** Guids of direct chats as the server spells them, by handle. */
  readonly chats: Map<string, string>;
}

export async function openBlueBubbles(deps: BackendDeps): Promise<Backend> {
  const { config, credentials } = deps.account;
  const password = credentials['password'];
  if (!password) throw new AppError('auth', PASSWORD_FIX);
  const api = createBlueApi({ url: config.serverUrl!, password, onAuthError: deps.fail });
  const shared: Shared = { deps, api, state: { helper: false, up: false, from: 0 }, chats: new Map() };
  await begin(shared);
  await using opening = new AsyncDisposableStack();
  const stop = new AbortController();
  const signal = AbortSignal.any([deps.signal, stop.signal]);
  const pulls = createSerialQueue();
  const pull = (): Promise<void> => pulls.run(() => pullAll(shared, signal));
  if (config.webhookUrl !== undefined) {
    opening.use(deps.account.mount(config.webhookPath, webhookOf(shared, { password, pull })));
    await register(shared, password);
  }
  await pull();
  const polling = poll(shared, pull, signal);
  const closing = opening.move();
  return {
    mode: 'bluebubbles',
    ...abilities(shared),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await closing[Symbol.asyncDispose]();
      await polling;
      await pulls.idle();
    },
  };
}

async function begin({ deps, api, state }: Shared): Promise<void> {
  const info = (await api.call('server/info')) as Readonly<Record<string, unknown>> | undefined;
  state.helper = info?.['private_api'] === true && info['helper_connected'] === true;
  if (deps.cursor() === undefined) await deps.begin(await newest(api));
  state.from = Math.max(state.from, deps.cursor() ?? 0);
  const self = info?.['detected_imessage'] ?? info?.['detected_icloud'];
  state.up = true;
  deps.onUp(typeof self === 'string' && self !== '' ? self.toLowerCase() : 'me');
}

async function newest(api: BlueApi): Promise<number> {
  const found = await api.call('message/query', { method: 'POST', json: { limit: 1, sort: 'DESC', with: WITH } });
  const [last] = Array.isArray(found) ? (found as readonly { readonly originalROWID?: unknown }[]) : [];
  return typeof last?.originalROWID === 'number' ? last.originalROWID : 0;
}

/** Asks again and again: a webhook is sent once, and may be lost. */
async function poll(shared: Shared, pull: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const { config } = shared.deps.account;
  const usual = (config.pollSeconds ?? (config.webhookUrl === undefined ? POLL_S.alone : POLL_S.webhook)) * 1000;
  for (let delay = usual; await pause(delay, signal); ) {
    try {
      await pull();
      delay = usual;
      if (!shared.state.up) await begin(shared);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (signal.aborted) return;
      shared.state.up = false;
      shared.deps.onDown(error);
      delay = Math.min(Math.max(usual, 1000) * 2, MAX_DELAY_MS);
    }
  }
}

/** All behind the cursor, the oldest first. */
async function pullAll({ deps, api, chats, state }: Shared, signal: AbortSignal): Promise<void> {
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page += 1) {
    const where = [{ statement: 'message.ROWID > :from', args: { from: state.from } }];
    const found = await api.call('message/query', {
      method: 'POST',
      signal,
      json: { where, sort: 'ASC', limit: PAGE, with: WITH },
    });
    deps.onAlive();
    const rows = (Array.isArray(found) ? found : []) as readonly unknown[];
    const messages = rows.flatMap((row) => readBlueMessage(row) ?? []).toSorted((a, b) => a.cursor - b.cursor);
    for (const message of messages) {
      if (message.cursor <= state.from) continue;
      state.from = message.cursor;
      if (!message.chat.group && message.sender) chats.set(message.sender, message.chat.guid);
      deps.onMessage(message);
    }
    if (rows.length < PAGE) return;
  }
}

async function register({ deps, api }: Shared, password: string): Promise<void> {
  const url = new URL(deps.account.config.webhookUrl!);
  if (url.pathname === '/') url.pathname = deps.account.config.webhookPath;
  url.searchParams.set('password', password);
  const known = await api.call('webhook');
  const there = Array.isArray(known) && known.some((one: { readonly url?: unknown }) => one?.url === url.href);
  if (!there)
    await api.call('webhook', { method: 'POST', json: { url: url.href, events: ['new-message', 'updated-message'] } });
}

interface Hook {
  readonly password: string;
  pull(): Promise<void>;
}

/** A forged or repeated call costs a query, and shows nothing. */
function webhookOf(shared: Shared, { password, pull }: Hook): WebhookHandler {
  return async ({ method, headers, query, body }) => {
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    const header = headers['x-password'];
    const presented = query.get('password') ?? query.get('guid') ?? (typeof header === 'string' ? header : '');
    if (!sameSecret(presented, password)) return { status: 401 };
    shared.deps.onAlive();
    const event = readHook(body);
    if (!event) return { status: 400, body: 'no event' };
    try {
      if (event.type === 'updated-message' && event.guid !== undefined) await update(shared, event.guid);
      else await pull();
      return { status: 200 };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { status: 503 }; // the next query finds it
    }
  };
}

function readHook(body: Buffer): { readonly type: string; readonly guid: string | undefined } | undefined {
  try {
    const { type, data } = JSON.parse(body.toString('utf8')) as {
      readonly type?: unknown;
      readonly data?: { readonly guid?: unknown };
    };
    const guid = data?.guid;
    return typeof type === 'string'
      ? { type, guid: typeof guid === 'string' && guid.length <= MAX_GUID ? guid : undefined }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** What changed is read from the server as well; only a new text is news. */
async function update({ deps, api, state }: Shared, guid: string): Promise<void> {
  const found = await api.call(`message/${encodeURIComponent(guid)}?with=${WITH.join(',')}`);
  const message = readBlueMessage(found);
  if (message?.editedAt !== undefined && message.cursor <= state.from) deps.onMessage(message);
}

function abilities(shared: Shared): Omit<Backend, 'mode' | typeof Symbol.asyncDispose> {
  const { api } = shared;
  const post = (path: string, json: object, timeoutMs?: number): Promise<unknown> =>
    api.call(path, { method: 'POST', json, ...present({ timeoutMs }) });
  return {
    send: (to, message) => send(shared, to, message),
    async edit(_to, guid, text) {
      const backwardsCompatibilityMessage = `Edited to: ${text}`;
      await post(`message/${encodeURIComponent(guid)}/edit`, {
        editedMessage: text,
        backwardsCompatibilityMessage,
        partIndex: 0,
      });
    },
    unsend: async (_to, guid) => void (await post(`message/${encodeURIComponent(guid)}/unsend`, { partIndex: 0 })),
    async tapback(to, guid, { emoji, remove }) {
      const kind = kindOf(emoji);
      if (kind === undefined) throw new AppError('unsupported', 'BlueBubbles has six tapbacks: ❤️ 👍 👎 😂 ‼️ ❓.');
      const reaction = `${remove ? '-' : ''}${kind}`;
      await post('message/react', { chatGuid: guidOf(to, shared), selectedMessageGuid: guid, reaction, partIndex: 0 });
    },
    async read(to) {
      if (shared.state.helper) await post(`chat/${encodeURIComponent(guidOf(to, shared))}/read`, {});
    },
    async typing(to) {
      if (shared.state.helper) await post(`chat/${encodeURIComponent(guidOf(to, shared))}/typing`, {});
    },
    async recent(to, since) {
      const found = await post('message/query', {
        chatGuid: guidOf(to, shared),
        after: since,
        sort: 'DESC',
        limit: RECENT,
        with: WITH,
      });
      return (Array.isArray(found) ? found : []).flatMap((one) => readBlueMessage(one) ?? []);
    },
    download: (ref, limits) => api.file(`attachment/${encodeURIComponent(ref)}/download`, limits),
    async probe(signal) {
      try {
        await api.call('ping', { signal });
        return { ok: true };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}

/** `SMS;-;+49…`: of a person, by the service that is wanted. */
function guidOf(to: Target, { chats }: Shared, service: Service = 'auto'): string {
  if (to.kind === 'group') {
    if ('guid' in to) return to.guid;
    throw new AppError('invalid', 'BlueBubbles knows groups by their guid: chat_guid:iMessage;+;chat….');
  }
  const wanted = service === 'auto' ? to.service : service;
  if (wanted === 'sms') return `SMS;-;${to.handle}`;
  if (wanted === 'imessage') return `iMessage;-;${to.handle}`;
  return chats.get(to.handle) ?? `iMessage;-;${to.handle}`;
}

async function send(shared: Shared, to: Target, message: OutgoingMessage): Promise<string | undefined> {
  const { config } = shared.deps.account;
  const fallback = to.kind === 'direct' && to.service === 'auto' && config.smsFallback && !shared.chats.has(to.handle);
  if (fallback && !(await hasImessage(shared, to.handle))) return post(shared, guidOf(to, shared, 'sms'), message);
  return post(shared, guidOf(to, shared), message);
}

/** Not known: iMessage is tried. */
async function hasImessage({ api }: Shared, handle: string): Promise<boolean> {
  try {
    const found = await api.call(`handle/availability/imessage?address=${encodeURIComponent(handle)}`);
    return (found as { readonly available?: unknown } | undefined)?.available !== false;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'auth') return true;
    throw error;
  }
}

async function post({ api, state }: Shared, chatGuid: string, message: OutgoingMessage): Promise<string | undefined> {
  const method = state.helper ? 'private-api' : 'apple-script';
  const selectedMessageGuid = state.helper ? message.replyTo : undefined;
  const base = present({ chatGuid, tempGuid: message.token, method, selectedMessageGuid });
  const { file, text } = message;
  if (!file)
    return sentGuid(
      await api.call('message/text', { method: 'POST', json: { ...base, message: text }, timeoutMs: SEND_MS }),
    );
  const form = new FormData();
  const fields = { ...base, name: file.name, ...present({ isAudioMessage: message.voice ? 'true' : undefined }) };
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append('attachment', new Blob([new Uint8Array(file.data)], { type: file.mime }), file.name);
  return sentGuid(await api.call('message/attachment', { method: 'POST', body: form, timeoutMs: SEND_MS }));
}

function sentGuid(answer: unknown): string | undefined {
  const guid = (answer as { readonly guid?: unknown } | undefined)?.guid;
  return typeof guid === 'string' ? guid : undefined;
}
