/** A Discord server on 127.0.0.1: the parts of the REST API and gateway the channel uses, plus test users. */
import { BABBLE } from './fake-babble.ts';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { present } from '../../sdk/index.ts';
import type { Said } from '../../testing/channel-platform.ts';
import { createGuild } from './fake-guild.ts';
import { createInteractions, fault, ok } from './fake-interactions.ts';
import {
  BOT,
  GUILD,
  ANN,
  TOKEN,
  EPHEMERAL,
  LOADING,
  type Answered,
  type FakeDiscord,
  type Session,
} from './fake-discord.ts';
import { bodyOf, buttonIn, shownOf } from './fake-seen.ts';

/** As Discord says it. A client that gets no answer within it takes the connection for dead. */
const HEARTBEAT_INTERVAL_MS = 41_250;
/** How often this fake asks for a heartbeat, to hear soon what is acknowledged; a late answer breaks nothing. */
const ASK_MS = 60;

export async function startFakeDiscord(): Promise<FakeDiscord> {
  const sessions = new Map<string, Session>();
  const sockets = new Set<WebSocket>();
  const calls: FakeDiscord['calls'][number][] = [];
  const answers = new Map<string, unknown>();
  const typing = new Map<string, number>();
  const failures: string[] = [];
  const state = { valid: true, identified: 0, resumed: 0, intents: 0 };
  const application = { flags: 1 << 19 };
  const limit = { remaining: 1000, reset_after: 0 };

  const guild = createGuild(() => root());
  const { channels, messages, files, newId, user, addChannel, directOf, channelOf, whereIs } = guild;
  const { blank, attach, refer, passedOn } = guild;
  const { interactions, deferred, responded } = createInteractions(guild);
  const served: FakeDiscord['served'][number][] = [];

  function emit(t: string, d: any): void {
    for (const session of sessions.values()) {
      const event = { s: session.events.length + 1, t, d };
      session.events.push(event);
      session.socket?.send(JSON.stringify({ op: 0, ...event }));
    }
  }

  const inEvent = (message: any): any => {
    const guild = channels.get(message.channel_id)?.guild_id;
    return guild ? { ...message, guild_id: guild, member: { roles: ['4001'], nick: null } } : message;
  };

  function keep(message: any): any {
    messages.set(message.id, message);
    emit('MESSAGE_CREATE', inEvent(message));
    const { nonce: _nonce, ...kept } = message;
    messages.set(message.id, kept);
    return message;
  }

  // ---- the gateway's socket

  const server = createServer((request, response) => void answer(request, response));
  const gateway = new WebSocketServer({ server });
  gateway.on('connection', (socket) => {
    sockets.add(socket);
    const own: { session?: Session } = {};
    const asking = setInterval(() => say({ op: 1, d: null }), ASK_MS);
    socket.on('close', (code) => {
      clearInterval(asking);
      sockets.delete(socket);
      if (!own.session) return;
      if (own.session.socket === socket) own.session.socket = undefined;
      if (code === 1000 || code === 1001) sessions.delete(own.session.id);
    });
    socket.on('error', () => undefined);
    const say = (payload: object): void => socket.send(JSON.stringify(payload));
    say({ op: 10, d: { heartbeat_interval: HEARTBEAT_INTERVAL_MS } });
    socket.on('message', (raw: Buffer) => {
      const { op, d } = JSON.parse(raw.toString()) as { op: number; d: any };
      if (op === 1) {
        if (own.session) own.session.acked = Math.max(own.session.acked, d ?? 0);
        return say({ op: 11 });
      }
      if (op !== 2 && op !== 6) return;
      if (!state.valid || d.token !== TOKEN) return socket.close(4004, 'Authentication failed.');
      if (op === 6) return takeUp(d, { socket, own, say });
      state.identified += 1;
      state.intents = d.intents;
      const session: Session = { id: `s${newId()}`, events: [], acked: 0, socket };
      sessions.set(session.id, session);
      own.session = session;
      allSessions.push(session);
      const first = (t: string, data: object): void => {
        const event = { s: session.events.length + 1, t, d: data };
        session.events.push(event);
        say({ op: 0, ...event });
      };
      first('READY', {
        v: 10,
        user: user(BOT),
        session_id: session.id,
        resume_gateway_url: root().replace('http', 'ws'),
        guilds: [{ id: GUILD, unavailable: true }],
        application: { id: '901', flags: application.flags },
      });
      const all = [...channels.values()].filter((channel) => channel.guild_id === GUILD);
      first('GUILD_CREATE', {
        id: GUILD,
        name: 'The Place',
        roles: [
          { id: GUILD, name: '@everyone' },
          { id: '4001', name: 'friends' },
          { id: '4002', name: 'Clawd', tags: { bot_id: BOT } },
        ],
        channels: all
          .filter(({ type }) => type !== 11)
          .map((channel) => ({
            ...channel,
            last_message_id: [...messages.values()].findLast((one) => one.channel_id === channel.id)?.id ?? null,
          })),
        threads: all.filter(({ type }) => type === 11),
      });
    });
  });
  const allSessions: Session[] = [];

  function takeUp(
    d: { session_id: string; seq: number },
    { socket, own, say }: { socket: WebSocket; own: { session?: Session }; say(payload: object): void },
  ): void {
    const session = sessions.get(d.session_id);
    if (!session) return say({ op: 9, d: false });
    state.resumed += 1;
    own.session = session;
    session.acked = Math.max(session.acked, d.seq);
    for (const event of session.events.filter(({ s }) => s > d.seq)) say({ op: 0, ...event });
    session.socket = socket;
    const event = { s: session.events.length + 1, t: 'RESUMED', d: {} };
    session.events.push(event);
    say({ op: 0, ...event });
  }

  // ---- the REST API

  const root = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, {
        ...present({ 'content-type': body !== undefined ? 'application/json' : undefined }),
        ...headers,
      });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    const url = new URL(request.url!, root());
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const method = request.method!;
    const file = /^\/files\/(\d+)\//.exec(url.pathname);
    if (file) {
      const found = files.get(file[1]!);
      response.writeHead(found ? 200 : 404, { 'content-type': found?.mime ?? 'text/plain' });
      return void response.end(found?.data);
    }
    const path = url.pathname.replace('/v10', '');
    const { body, parts } = await bodyOf(request, Buffer.concat(chunks));
    const reason = request.headers['x-audit-log-reason'];
    calls.push({
      method,
      path,
      body,
      query: url.searchParams,
      auth: request.headers.authorization,
      ...present({ reason: typeof reason === 'string' ? decodeURIComponent(reason) : undefined }),
    });
    const open = /^\/(webhooks|interactions)\//.test(path);
    if (!open && (!state.valid || request.headers.authorization !== `Bot ${TOKEN}`))
      return reply(401, { message: '401: Unauthorized', code: 0 });
    const own = served.map((serve) => serve(calls.at(-1)!)).find((one) => one !== undefined);
    if (own) return reply(own.status, own.body, own.headers);
    if (method === 'POST' && /^\/channels\/\d+\/messages$/.test(path)) {
      const how = failures.shift();
      if (how === 'rate-limit')
        return reply(
          429,
          { message: 'You are being rate limited.', retry_after: 0.02, global: false },
          { 'retry-after': '0.02', 'x-ratelimit-scope': 'user' },
        );
      if (how === 'refused') return reply(403, { message: 'Cannot send messages to this user', code: 50007 });
      if (how === 'server-error') return reply(500, { message: 'Internal Server Error' });
      if (how === 'markup') return reply(400, { message: 'Invalid Form Body', code: 50035, errors: {} });
      if (how === 'dropped') return void request.socket.destroy();
      const result = post(path.split('/')[2]!, body, parts);
      if (how === 'accepted-timeout') return void request.socket.destroy();
      return reply(result.status, result.body);
    }
    const result = route(method, path, { body, url, parts });
    reply(result.status, result.body);
  }

  function post(channel: string, body: any, parts: NonNullable<Said['file']>[]): Answered {
    if (!channels.has(channel)) return fault(404, 10003, 'Unknown Channel');
    const again = body.enforce_nonce && [...nonces].find(([nonce]) => nonce === body.nonce)?.[1];
    if (again) return ok({ ...messages.get(again), nonce: body.nonce });
    if ((body.content ?? '').length > 2000) return fault(400, 50035, 'Invalid Form Body');
    const message = {
      ...blank(channel, user(BOT), (body.content ?? '').trim()),
      ...present({ nonce: body.nonce || undefined, poll: body.poll || undefined }),
      ...(body.sticker_ids
        ? { sticker_items: body.sticker_ids.map((id: string) => ({ id, name: id, format_type: 1 })) }
        : {}),
    };
    for (const part of parts) attach(message, { ...part, voice: ((body.flags ?? 0) & (1 << 13)) !== 0 });
    refer(message, body.message_reference?.message_id);
    if (body.nonce) nonces.set(body.nonce, message.id);
    return ok(keep(message));
  }
  const nonces = new Map<string, string>();

  function route(
    method: string,
    path: string,
    { body, url, parts }: { body: any; url: URL; parts: NonNullable<Said['file']>[] },
  ): Answered {
    const set = answers.get(`${method} ${path}`);
    if (set !== undefined) return ok(set);
    const [, kind, id, sub, third, fourth, fifth, sixth] = path.split('/') as (string | undefined)[];
    if (kind === 'gateway')
      return ok({
        url: root().replace('http', 'ws'),
        shards: 1,
        session_start_limit: { total: 1000, max_concurrency: 16, ...limit },
      });
    if (kind === 'applications')
      return id === '@me' ? ok({ id: '901', name: 'Clawd', flags: application.flags }) : ok([]);
    if (kind === 'users') return sub === 'channels' ? ok(channels.get(directOf(body.recipient_id))) : ok(user(BOT));
    if (kind === 'guilds')
      return third === undefined && sub === undefined
        ? ok({ id, name: 'The Place', owner_id: ANN, roles: [{ id: GUILD, name: '@everyone', permissions: '0' }] })
        : sub === 'members' && third
          ? ok({ user: user(third), roles: ['4001'] })
          : ok([]);
    if (kind === 'interactions') return deferred(sub!, body);
    if (kind === 'webhooks') return responded(method, sub!, { body, at: fourth && decodeURIComponent(fourth) });
    if (kind !== 'channels' || !channels.has(id!)) return fault(404, 10003, 'Unknown Channel');
    if (sub === 'typing') {
      typing.set(id!, (typing.get(id!) ?? 0) + 1);
      return ok();
    }
    if (sub === undefined) return ok(channels.get(id!));
    if (sub === 'messages' && third === undefined) return ok(history(id!, url.searchParams));
    if (sub !== 'messages' || third === 'pins') return ok(parts.length);
    const message = messages.get(third!);
    if (message?.channel_id !== id) return fault(404, 10008, 'Unknown Message');
    if (fourth === 'reactions') return reacted(message, { method, emoji: decodeURIComponent(fifth!), who: sixth });
    if (fourth === 'threads') return opened(message, body);
    if (method === 'PATCH') {
      Object.assign(message, { content: body.content, edited_timestamp: new Date().toISOString() });
      return ok(message);
    }
    if (method === 'DELETE') {
      messages.delete(third!);
      return ok();
    }
    return ok(message);
  }

  /** Newest first; with `after`, those that follow it. */
  function history(channel: string, query: URLSearchParams): any[] {
    const [after, count] = [query.get('after'), Number(query.get('limit') ?? 50)];
    const all = [...messages.values()].filter(
      (message) => message.channel_id === channel && (after === null || BigInt(message.id) > BigInt(after)),
    );
    return (after === null ? all.slice(-count) : all.slice(0, count)).toReversed();
  }

  function reacted(
    message: any,
    { method, emoji, who }: { method: string; emoji: string; who: string | undefined },
  ): Answered {
    if (who === undefined) return ok([]);
    const rest = (message.reactions ?? []).filter((one: any) => one.emoji.name !== emoji);
    message.reactions = method === 'PUT' ? [...rest, { me: true, count: 1, emoji: { id: null, name: emoji } }] : rest;
    return ok();
  }

  function opened(message: any, body: any): Answered {
    if (channels.has(message.id)) return fault(400, 160_004, 'A thread has already been created for this message');
    addChannel({ id: message.id, type: 11, name: body.name, parent_id: message.channel_id, owner_id: BOT });
    emit('THREAD_CREATE', channels.get(message.id));
    return { status: 201, body: channels.get(message.id) };
  }

  // ---- people

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: FakeDiscord = {
    config: { apiRoot: root() },
    credentials: { token: TOKEN },
    botId: BOT,
    calls,
    answers,
    guild,
    served,
    emit,
    addChannel,
    application,
    limit,
    gateways: state,
    message: (id) => messages.get(id),
    async write({ chat, by, name, text = '', mention, file, quotes, forwarded }) {
      const author = { ...user(by), ...present({ global_name: name || undefined }) };
      const message = blank(channelOf(chat), author, mention ? `<@${BOT}> ${text}` : text);
      if (mention) message.mentions.push(user(BOT));
      if (file) attach(message, file);
      refer(message, quotes);
      return keep(forwarded ? passedOn(message) : message).id;
    },
    async change(_chat, id, text) {
      Object.assign(messages.get(id), { content: text, edited_timestamp: new Date().toISOString() });
      emit('MESSAGE_UPDATE', inEvent(messages.get(id)));
    },
    async react(chat, id, emoji, by) {
      const guild = channels.get(channelOf(chat))?.guild_id;
      emit('MESSAGE_REACTION_ADD', {
        user_id: by,
        channel_id: channelOf(chat),
        message_id: id,
        message_author_id: messages.get(id)?.author.id,
        emoji: { id: null, name: emoji },
        ...(guild ? { guild_id: guild, member: { user: user(by), roles: [] } } : {}),
        burst: false,
        type: 0,
      });
    },
    async press(chat, id, label, by) {
      await fake.interact({ chat, by, type: 3, data: buttonIn(calls, label), message: { id } });
    },
    async redeliver(id) {
      emit('MESSAGE_CREATE', inEvent(messages.get(id)));
    },
    async interact({ chat, by, type = 2, data, message }) {
      const token = `interaction-token-${newId()}`;
      const channel = channelOf(chat);
      interactions.set(token, { channel, ephemeral: false, shown: [] });
      const guild = channels.get(channel)?.guild_id;
      emit('INTERACTION_CREATE', {
        id: newId(),
        application_id: '901',
        token,
        type,
        version: 1,
        channel_id: channel,
        data,
        ...(message ? { message: messages.get(message.id) } : {}),
        ...(guild ? { guild_id: guild, member: { user: user(by), roles: ['4001'] } } : { user: user(by) }),
      });
      return token;
    },
    responses: (token) =>
      (interactions.get(token)?.shown ?? []).map(({ content, flags }) => ({
        content,
        ephemeral: (flags & EPHEMERAL) !== 0,
        loading: (flags & LOADING) !== 0,
      })),
    seen: (chat) =>
      [...messages.values()]
        .filter((message) => message.channel_id === whereIs(chat) && message.author.id === BOT)
        .map((message) => shownOf(message, channels.get(message.channel_id))),
    typed: (chat) => typing.get(whereIs(chat)) ?? 0,
    failSends: (how, times) => void failures.push(...Array.from({ length: times }, () => how)),
    cut: () => sockets.forEach((socket) => socket.terminate()),
    forgetSessions: () => sessions.clear(),
    babble: () => BABBLE.forEach(([event, data]) => emit(event, data)),
    revoke: () => void (state.valid = false),
    get consumers() {
      return allSessions.filter(({ socket }) => socket?.readyState === 1).length;
    },
    get acknowledged() {
      return allSessions.flatMap(({ events, acked }) =>
        events.filter(({ s, t }) => t === 'MESSAGE_CREATE' && s <= acked).map(({ d }) => d.id as string),
      );
    },
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.terminate());
      gateway.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}
