/** Slack on 127.0.0.1: the Web API, Socket Mode and signed webhooks over one workspace in memory. */
import { BABBLE } from './fake-babble.ts';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { present } from '../../sdk/index.ts';
import type { Chat, ChannelPlatform, Said } from '../../testing/channel-platform.ts';
import { emojiName } from './emoji.ts';
import { BOT, channelOf, createWorkspace, typeOf, wire, type Stored, type Workspace } from './workspace/fake.ts';
import { SIGNING_SECRET, type Headers, signed, readAll } from './fake-seen.ts';
import { buttonIn, seenAs } from './fake-seen.ts';

const BOT_TOKEN = 'xoxb-test-token';
const APP_TOKEN = 'xapp-test-token';
const USER_TOKEN = 'xoxp-test-token';

type Failure = Parameters<ChannelPlatform['failSends']>[0];
interface Envelope {
  readonly envelope_id: string;
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
  attempts: number;
}

export interface FakeSlack extends ChannelPlatform {
  readonly origin: string;
  readonly workspace: Workspace;
  /** Methods called, in order. */
  readonly calls: { readonly method: string; readonly args: Readonly<Record<string, string>> }[];
  /** Methods that miss their scope. */
  readonly forbidden: Map<string, string>;
  /** What was posted to response addresses. */
  readonly responses: { readonly path: string; readonly body: Record<string, unknown> }[];
  /** Requests for files: path and whether a token came along. */
  readonly fetched: { readonly path: string; readonly token: boolean }[];
  /** Answers a file's path in another way. */
  serve: ((path: string, response: ServerResponse) => boolean) | undefined;
  /**
   * Events that nobody listened to are delivered once somebody does. Default: they are lost, as after a long outage.
   */
  retains: boolean;
  /** Connections stand and bring nothing. */
  deaf: boolean;
  /** What the next hello says. */
  connections: number;
  /** Where events are posted, for HTTP mode. */
  webhook: string | undefined;
  /** Delivers any envelope; resolves once it was sent. */
  deliver(type: 'events_api' | 'slash_commands' | 'interactive', payload: unknown, id?: string): Promise<void>;
  /** As Slack does every few seconds. */
  ping(): void;
  /** Sends bytes as they are to every socket. */
  sendRaw(frame: string): void;
  slash(command: {
    readonly by: string;
    readonly chat: Chat;
    readonly command?: string;
    readonly text: string;
    readonly path?: string;
  }): Promise<void>;
  click(click: {
    readonly by: string;
    readonly chat: Chat;
    readonly messageId: string;
    readonly value: string;
    readonly blockId?: string;
  }): Promise<void>;
}

export async function startFakeSlack(): Promise<FakeSlack> {
  const sockets = new Set<WebSocket>();
  const open = new Set<Socket>();
  const unacked = new Map<string, Envelope>();
  const waiting: Envelope[] = [];
  const delivered = new Map<string, { type: string; payload: unknown }>();
  const state: { revoked: boolean; failures: Failure[]; next: number } = { revoked: false, failures: [], next: 0 };
  const acknowledged: string[] = [];
  const server = createServer((request, response) => void serve(request, response));
  const wss = new WebSocketServer({ noServer: true });
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = createWorkspace(origin);

  const send = (envelope: Envelope): void => {
    if (fake.deaf) return;
    const socket = [...sockets][state.next++ % Math.max(sockets.size, 1)];
    if (!socket) return void (fake.retains && waiting.push(envelope));
    unacked.set(envelope.envelope_id, envelope);
    const { envelope_id, type, payload } = envelope;
    socket.send(
      JSON.stringify({
        envelope_id,
        type,
        payload,
        accepts_response_payload: type !== 'events_api',
        retry_attempt: envelope.attempts++,
        retry_reason: '',
      }),
    );
  };

  server.on('connection', (socket: Socket) =>
    open.add(socket.on('error', () => undefined).once('close', () => open.delete(socket))),
  );
  server.on('upgrade', (request, socket, head) => {
    wss.handleUpgrade(request, socket, head, (ws) => {
      sockets.add(ws);
      ws.on('close', () => sockets.delete(ws));
      ws.on('message', (data) => onAck(JSON.parse(String(data)) as { envelope_id: string }));
      ws.send(
        JSON.stringify({ type: 'hello', num_connections: fake.connections, connection_info: { app_id: 'A0APP' } }),
      );
      for (const envelope of [...unacked.values(), ...waiting.splice(0)]) send(envelope);
    });
  });

  function onAck({ envelope_id }: { envelope_id: string }): void {
    const envelope = unacked.get(envelope_id);
    if (!envelope) return;
    unacked.delete(envelope_id);
    acknowledged.push(envelope.id);
  }

  async function deliver(
    type: 'events_api' | 'slash_commands' | 'interactive',
    payload: unknown,
    id = '',
  ): Promise<void> {
    delivered.set(id, { type, payload });
    if (fake.webhook) await postTo(fake.webhook, type, payload, id);
    else send({ envelope_id: randomUUID(), id, type, payload, attempts: 0 });
  }

  async function postTo(url: string, type: string, payload: unknown, id: string): Promise<void> {
    const json = JSON.stringify(payload);
    const form =
      type === 'events_api'
        ? undefined
        : type === 'interactive'
          ? new URLSearchParams({ payload: json })
          : new URLSearchParams(payload as Record<string, string>);
    const body = form?.toString() ?? json;
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...signed(body), 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
    });
    if (response.ok) acknowledged.push(id);
  }

  const event = (inner: Record<string, unknown>, id: string): Promise<void> =>
    deliver(
      'events_api',
      {
        type: 'event_callback',
        team_id: BOT.teamId,
        api_app_id: 'A0APP',
        event_id: `Ev${randomUUID()}`,
        event_time: Math.floor(Date.now() / 1000),
        event: inner,
      },
      id,
    );

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    const { pathname } = new URL(request.url ?? '/', origin());
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (pathname.startsWith('/files/')) return serveFile(pathname, token, response);
    if (pathname.startsWith('/upload/')) {
      Object.assign(workspace.files.get(pathname.split('/')[2]!)!, {
        data: body,
        size: body.length,
        mimetype: request.headers['content-type'],
      });
      return void response.end('OK');
    }
    if (pathname.startsWith('/response/')) {
      if (pathname.endsWith('used')) return void response.writeHead(404).end('used_url');
      fake.responses.push({ path: pathname, body: JSON.parse(body.toString()) as Record<string, unknown> });
      return void response.end('ok');
    }
    api(pathname.replace('/api/', ''), Object.fromEntries(new URLSearchParams(body.toString())), {
      token,
      response,
      request,
    });
  }

  function api(
    method: string,
    args: Record<string, string>,
    { token, response, request }: { token: string; response: ServerResponse; request: IncomingMessage },
  ): void {
    fake.calls.push({ method, args });
    const say = (outcome: Record<string, unknown> | string, status = 200, headers: Headers = {}): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(typeof outcome === 'string' ? { ok: false, error: outcome } : { ok: true, ...outcome }));
    };
    const wanted =
      method === 'apps.connections.open' ? APP_TOKEN : method === 'search.messages' ? USER_TOKEN : BOT_TOKEN;
    if (state.revoked || token !== wanted) return say('invalid_auth');
    if (fake.forbidden.has(method))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ok: false, error: 'missing_scope', needed: fake.forbidden.get(method) }));
    if (method === 'apps.connections.open')
      return say({ url: `${origin().replace('http', 'ws')}/link/?ticket=${randomUUID()}` });
    const run = workspace.methods[method];
    if (!run) return say('unknown_method');
    const failure =
      method === 'chat.postMessage' || method === 'files.completeUploadExternal' ? state.failures.shift() : undefined;
    if (failure === 'rate-limit') return say('ratelimited', 429, { 'retry-after': '1' });
    if (failure === 'refused') return say('is_archived');
    if (failure === 'server-error') return void response.writeHead(500).end('oops');
    if (failure === 'markup') return say('invalid_blocks');
    if (failure === 'dropped') return void request.socket.destroy();
    const outcome = run(args);
    if (failure === 'accepted-timeout') return void request.socket.destroy();
    say(outcome);
  }

  function serveFile(path: string, token: string, response: ServerResponse): void {
    fake.fetched.push({ path, token: token !== '' });
    if (fake.serve?.(path, response)) return;
    const file = workspace.files.get(path.split('/')[2]!);
    if (!file) return void response.writeHead(404).end();
    if (token !== BOT_TOKEN)
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>sign in</html>');
    response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.data.length }).end(file.data);
  }

  async function notify(stored: Stored, chat: Chat): Promise<void> {
    const parent = stored.thread_ts === undefined ? undefined : workspace.find(stored.channel, stored.thread_ts);
    const inner = {
      ...wire(stored),
      channel_type: typeOf(chat),
      event_ts: stored.ts,
      ...present({ parent_user_id: parent?.user }),
    };
    await event(inner, stored.ts);
    if (stored.text.includes(`<@${BOT.userId}>`) && chat.kind !== 'direct')
      await event(
        { ...inner, type: 'app_mention', channel_type: undefined, subtype: undefined },
        `${stored.ts}:mention`,
      );
  }

  const fake: FakeSlack = {
    get origin() {
      return origin();
    },
    workspace,
    crowd: ({ id }, members) =>
      void workspace.rooms.set(id, { id, name: 'crowd', is_channel: true, num_members: members }),
    calls: [],
    forbidden: new Map(),
    responses: [],
    fetched: [],
    serve: undefined,
    retains: false,
    deaf: false,
    connections: 1,
    webhook: undefined,
    get config() {
      return { apiRoot: `${origin()}/api/`, timeoutSeconds: 5 };
    },
    credentials: { botToken: BOT_TOKEN, appToken: APP_TOKEN, signingSecret: SIGNING_SECRET, userToken: USER_TOKEN },
    botId: BOT.userId,
    deliver,
    acknowledged,
    get consumers() {
      return sockets.size;
    },
    async write(said: Said) {
      const stored = workspace.say(said);
      await notify(stored, said.chat);
      return stored.ts;
    },
    async change(chat, messageId, text) {
      const message = workspace.find(channelOf(chat), messageId)!;
      const before = wire(message);
      message.text = text;
      message.edited = { user: message.user, ts: workspace.nextTs() };
      await event(
        {
          type: 'message',
          subtype: 'message_changed',
          hidden: true,
          channel: message.channel,
          channel_type: typeOf(chat),
          ts: message.edited.ts,
          event_ts: message.edited.ts,
          message: wire(message),
          previous_message: before,
        },
        `${messageId}:edit`,
      );
    },
    async react(chat, messageId, emoji, by) {
      const message = workspace.find(channelOf(chat), messageId)!;
      const name = emojiName(emoji);
      message.reactions.set(name, (message.reactions.get(name) ?? new Set()).add(by));
      await event(
        {
          type: 'reaction_added',
          user: by,
          reaction: name,
          item_user: message.user,
          item: { type: 'message', channel: message.channel, ts: messageId },
          event_ts: workspace.nextTs(),
        },
        `${messageId}:reaction`,
      );
    },
    async redeliver(messageId) {
      const { type, payload } = delivered.get(messageId)!;
      await deliver(type as 'events_api', payload, messageId);
    },
    seen: (chat) =>
      workspace.messages
        .filter(
          (one) =>
            one.user === BOT.userId &&
            one.channel === channelOf(chat) &&
            (chat.threadId === undefined || one.thread_ts === chat.threadId),
        )
        .map(seenAs),
    typed: () => 0,
    failSends: (how, times) => void state.failures.push(...Array.from({ length: times }, () => how)),
    cut() {
      for (const socket of sockets) socket.terminate();
      sockets.clear();
      for (const socket of open) socket.destroy();
    },
    babble: () => BABBLE.forEach((frame) => fake.sendRaw(frame)),
    revoke: () => void (state.revoked = true),
    ping: () => {
      for (const socket of sockets) socket.ping();
    },
    sendRaw: (frame) => {
      for (const socket of sockets) socket.send(frame);
    },
    slash: ({ by, chat, command = '/clawd', text, path = '/response/1' }) => {
      const id = randomUUID();
      return deliver(
        'slash_commands',
        {
          command,
          text,
          user_id: by,
          user_name: by.toLowerCase(),
          channel_id: channelOf(chat),
          channel_name: chat.kind === 'direct' ? 'directmessage' : 'general',
          team_id: BOT.teamId,
          response_url: `${origin()}${path}`,
          trigger_id: id,
        },
        id,
      );
    },
    press: async (chat, messageId, label, by) => {
      await fake.click({ by, chat, messageId, value: buttonIn(fake.calls, label) });
    },
    click: ({ by, chat, messageId, value, blockId = 'b1' }) => {
      const id = randomUUID();
      return deliver(
        'interactive',
        {
          type: 'block_actions',
          user: { id: by, name: by.toLowerCase() },
          team: { id: BOT.teamId },
          channel: { id: channelOf(chat), name: chat.kind === 'direct' ? 'directmessage' : 'general' },
          container: { type: 'message', message_ts: messageId },
          message: { ts: messageId, user: BOT.userId, bot_id: BOT.botId, text: 'choose' },
          actions: [{ action_id: 'a1', block_id: blockId, type: 'button', value, action_ts: '1.1' }],
          trigger_id: id,
        },
        id,
      );
    },
    async [Symbol.asyncDispose]() {
      fake.cut();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return fake;
}
