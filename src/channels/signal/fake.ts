/**
 * A signal-cli daemon on 127.0.0.1: JSON-RPC over HTTP, numbered events over SSE, users who write, react and read, and
 * failures on demand.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChannelPlatform, Chat, Said } from '../../testing/channel-platform.ts';

export const ACCOUNT = '+15550000001';
const SELF_UUID = '00000000-0000-4000-8000-000000000001';

const CUT: unique symbol = Symbol('cut');

type Fault = Parameters<ChannelPlatform['failSends']>[0];
type Params = Readonly<Record<string, any>>;

interface Sent {
  readonly at: number;
  readonly chat: string;
  text: string;
  styles: readonly string[];
  readonly quote?: string;
  readonly file?: { readonly name: string; readonly mime: string; readonly size: number; readonly voice: boolean };
  reactions: string[];
}

interface Written {
  readonly at: number;
  readonly by: string;
  readonly group: string | undefined;
}

export interface FakeSignal extends ChannelPlatform {
  readonly url: string;
  /** Every request, in order. */
  readonly calls: readonly { readonly method: string; readonly params: Params }[];
  /** Tells every reader of an event, e.g. a receipt. */
  tell(event: object): void;
  /** The answer of a method, instead of the usual one. */
  answer(method: string, answer: (params: Params) => unknown): void;
  /** Its process ended and began anew: it has no event any more, and numbers them from 1. */
  restart(): void;
}

export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data: unknown = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** `port`: one to listen on; absent: one of the system. */
/** Events that no daemon sends: no JSON, another account's, or without what they have to have. */
const BABBLE: readonly string[] = [
  'data:no json\n\n',
  'event:receive\ndata:\n\n',
  'event:receive\ndata:[]\n\n',
  'event:receive\ndata:null\n\n',
  'event:something-new\ndata:{"envelope":7}\n\n',
  `event:receive\ndata:{"account":"${ACCOUNT}","envelope":{"timestamp":"x","dataMessage":[]}}\n\n`,
  `event:receive\ndata:{"account":"${ACCOUNT}","envelope":{"sourceNumber":5,"dataMessage":{"message":{}}}}\n\n`,
  `event:receive\ndata:{"account":"${ACCOUNT}","exception":{"type":7}}\n\n`,
  ...[{ message: {} }, { message: 'x', attachments: 'none' }, { message: 'x', mentions: 7 }, { reaction: 'like' }].map(
    (dataMessage) =>
      `event:receive\ndata:${JSON.stringify({
        account: ACCOUNT,
        envelope: { sourceNumber: '+15550000009', timestamp: 1, dataMessage: { timestamp: 1, ...dataMessage } },
      })}\n\n`,
  ),
  'id\nretry:never\n:::\n\n',
];

export async function startFakeSignal(port = 0): Promise<FakeSignal> {
  const kept: { readonly id: number; readonly data: string }[] = [];
  const readers = new Set<ServerResponse>();
  const written = new Map<string, Written>();
  const sent: Sent[] = [];
  const files = new Map<string, Uint8Array>();
  const read = new Set<string>();
  const typing = new Map<string, number>();
  const faults: Fault[] = [];
  const calls: { method: string; params: Params }[] = [];
  const own = new Map<string, (params: Params) => unknown>();
  const state = { valid: true, time: Date.now(), count: 0, run: 'a' };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const now = (): number => (state.time = Math.max(state.time + 1, Date.now()));
  const frame = ({ id, data }: (typeof kept)[number]): string =>
    `id:${state.run}${id}\nevent:receive\ndata:${data}\n\n`;

  function tell(event: object): void {
    const one = { id: ++state.count, data: JSON.stringify({ account: ACCOUNT, ...event }) };
    kept.push(one);
    for (const reader of readers) reader.write(frame(one));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url!, 'http://fake');
    if (pathname === '/api/v1/check') return void response.writeHead(200).end();
    if (pathname === '/api/v1/events') return listen(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: string;
      method: string;
      params: Params;
    };
    calls.push({ method, params });
    const answer = (body: object): void =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    try {
      const result = run(method, params);
      if (result === CUT) response.destroy();
      else answer({ result });
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      answer({ error: { code: error.code, message: error.message, data: error.data } });
    }
  }

  function listen(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(':\n\n');
    const last = request.headers['last-event-id'];
    if (last !== undefined) {
      const from = kept.findIndex(({ id }) => `${state.run}${id}` === last);
      for (const one of kept.slice(from + 1)) response.write(frame(one));
    }
    readers.add(response);
    response.on('close', () => readers.delete(response));
  }

  function run(method: string, params: Params): unknown {
    if (params['account'] !== ACCOUNT) throw new RpcFailure(-32602, 'Specified account does not exist');
    if (!state.valid) throw new RpcFailure(-1, `User ${ACCOUNT} is not registered.`);
    const answer = own.get(method) ?? METHODS[method];
    if (!answer) throw new RpcFailure(-32601, 'Method not implemented');
    return answer(params);
  }

  const chatOf = ({ groupId, recipient, username }: Params): string => groupId ?? recipient ?? username;
  const find = (timestamp: number): Sent | undefined => sent.find(({ at }) => at === timestamp);

  const METHODS: Readonly<Record<string, (params: Params) => unknown>> = {
    version: () => ({ version: '0.14.0' }),
    getUserStatus: () => [{ recipient: ACCOUNT, number: ACCOUNT, uuid: SELF_UUID, isRegistered: true }],
    listIdentities: () => [],
    send,
    remoteDelete({ targetTimestamp }) {
      sent.splice(sent.indexOf(find(targetTimestamp)!), 1);
      return { timestamp: now(), results: [] };
    },
    sendReaction({ targetTimestamp, emoji, remove }) {
      const target = find(targetTimestamp);
      if (target) target.reactions = remove ? [] : [emoji];
      return { timestamp: now(), results: [] };
    },
    sendTyping(params) {
      typing.set(chatOf(params), (typing.get(chatOf(params)) ?? 0) + 1);
      return { timestamp: now(), results: [] };
    },
    sendReceipt({ recipient, targetTimestamp }) {
      for (const at of targetTimestamp) read.add(`${at}:${recipient}`);
      return { timestamp: now(), results: [] };
    },
    getAttachment({ id }) {
      const data = files.get(id);
      if (!data) throw new RpcFailure(-1, 'Attachment not found');
      return { data: Buffer.from(data).toString('base64') };
    },
  };

  function send(params: Params): unknown {
    const fault = faults[0] === 'markup' && !params['textStyle'] ? undefined : faults.shift();
    const result = (type: string, more: object = {}) => ({
      response: { timestamp: now(), results: [{ recipientAddress: { number: chatOf(params) }, type, ...more }] },
    });
    if (fault === 'rate-limit')
      throw new RpcFailure(-5, 'Rate limited', result('RATE_LIMIT_FAILURE', { retryAfterSeconds: 1 }));
    if (fault === 'refused') throw new RpcFailure(-1, 'Failed to send message', result('UNREGISTERED_FAILURE'));
    if (fault === 'server-error') throw new RpcFailure(-3, 'Failed to send message: connection reset (IOException)');
    if (fault === 'markup') throw new RpcFailure(-1, `Invalid style: ${params['textStyle'][0]}`);
    if (fault === 'dropped') return CUT;
    const { message: text = '', textStyle: styles = [], editTimestamp, quoteTimestamp, quoteAuthor } = params;
    const edited = find(editTimestamp);
    if (edited) Object.assign(edited, { text, styles });
    const at = now();
    // The phone of a person is online, and confirms what it gets.
    if (!params['groupId'])
      tell(
        envelopeOf(chatOf(params), undefined, now(), {
          receiptMessage: { when: at, isDelivery: true, isRead: false, timestamps: [at] },
        }),
      );
    if (!edited) {
      const [uri] = (params['attachment'] ?? []) as string[];
      const [, mime = '', name = '', base64 = ''] =
        /^data:([^;]+);filename=([^;]+);base64,(.*)$/s.exec(uri ?? '') ?? [];
      const file = uri && {
        name,
        mime,
        size: Buffer.from(base64, 'base64').length,
        voice: params['voiceNote'] === true,
      };
      const quote = quoteTimestamp && `${quoteTimestamp}${quoteAuthor === ACCOUNT ? '' : `:${quoteAuthor}`}`;
      sent.push({
        at,
        chat: chatOf(params),
        text,
        styles,
        reactions: [],
        ...(file && { file }),
        ...(quote && { quote }),
      });
    }
    return fault === 'accepted-timeout'
      ? CUT
      : result('SUCCESS').response && { ...result('SUCCESS').response, timestamp: at };
  }

  const person = (by: string) =>
    by.startsWith('uuid:') ? { sourceUuid: by.slice(5), sourceNumber: null } : { sourceNumber: by, sourceUuid: null };
  const envelopeOf = (by: string, name: string | undefined, at: number, body: object): object => ({
    envelope: {
      source: by,
      ...person(by),
      sourceName: name ?? by,
      sourceDevice: 1,
      timestamp: at,
      serverReceivedTimestamp: Date.now(),
      ...body,
    },
  });
  const groupInfo = (group: string | undefined) =>
    group === undefined ? {} : { groupInfo: { groupId: group, groupName: 'Friends', type: 'DELIVER' } };
  const idOf = (at: number, by: string): string => (by === ACCOUNT ? String(at) : `${at}:${by}`);
  const events = new Map<string, object>();

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    config: { account: ACCOUNT, httpUrl: url, sendReadReceipts: true },
    credentials: {},
    botId: ACCOUNT,
    calls,
    tell,
    answer: (method, answer) => void own.set(method, answer),
    restart() {
      kept.length = 0;
      state.count = 0;
      state.run = String.fromCharCode(state.run.charCodeAt(0) + 1);
      for (const reader of readers) reader.destroy();
    },
    async write({ chat, by, name, text = '', mention, file, quotes }: Said) {
      const at = now();
      const group = chat.kind === 'direct' ? undefined : chat.id;
      if (file) files.set(`f${at}`, file.data);
      const [quotedAt = '', quotedBy = ACCOUNT] = quotes?.split(/:(.*)/s) ?? [];
      const event = envelopeOf(by, name, at, {
        dataMessage: {
          timestamp: at,
          message: mention ? `\ufffc ${text}` : text || null,
          expiresInSeconds: 0,
          ...groupInfo(group),
          ...(mention ? { mentions: [{ name: 'Clawd', number: ACCOUNT, uuid: SELF_UUID, start: 0, length: 1 }] } : {}),
          ...(quotes
            ? {
                quote: {
                  id: Number(quotedAt),
                  author: quotedBy,
                  authorNumber: quotedBy,
                  authorUuid: null,
                  text: 'before',
                  attachments: [],
                },
              }
            : {}),
          ...(file
            ? {
                attachments: [
                  {
                    contentType: file.mime,
                    filename: file.name,
                    id: `f${at}`,
                    size: file.data.length,
                    ...(file.voice ? { voiceNote: true } : {}),
                  },
                ],
              }
            : {}),
        },
      });
      written.set(idOf(at, by), { at, by, group });
      events.set(idOf(at, by), event);
      tell(event);
      return idOf(at, by);
    },
    async change(_chat, id, text) {
      const { at, by, group } = written.get(id)!;
      const newer = now();
      const dataMessage = { timestamp: newer, message: text, ...groupInfo(group) };
      tell(envelopeOf(by, undefined, newer, { editMessage: { targetSentTimestamp: at, dataMessage } }));
    },
    async react(chat, id, emoji, by) {
      const at = now();
      const reaction = {
        emoji,
        targetAuthor: ACCOUNT,
        targetAuthorNumber: ACCOUNT,
        targetSentTimestamp: Number(id),
        isRemove: false,
      };
      const group = chat.kind === 'direct' ? undefined : chat.id;
      tell(
        envelopeOf(by, undefined, at, { dataMessage: { timestamp: at, message: null, reaction, ...groupInfo(group) } }),
      );
    },
    redeliver: async (id) => tell(events.get(id)!),
    seen: ({ id }: Chat) =>
      sent
        .filter(({ chat }) => chat === id.replace(/^uuid:/, ''))
        .map(({ at, text, styles, quote, file, reactions }) => ({
          id: String(at),
          text,
          raw: JSON.stringify({ text, styles }),
          reactions,
          ...(quote ? { replyTo: quote } : {}),
          ...(file ? { file } : {}),
        })),
    typed: ({ id }) => typing.get(id) ?? 0,
    failSends: (how, times) => void faults.push(...Array.from({ length: times }, () => how)),
    cut: () => server.closeAllConnections(),
    babble() {
      for (const text of BABBLE) for (const reader of readers) reader.write(text);
    },
    revoke: () => void (state.valid = false),
    get consumers() {
      return readers.size;
    },
    get acknowledged() {
      return [...read];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
