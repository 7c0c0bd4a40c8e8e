/** A BlueBubbles server on 127.0.0.1 with a fake Mac in the test's process. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ChannelPlatform } from '../../testing/channel-platform.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createMac, SELF, type Mac, type Row } from './fake-mac.ts';

const PASSWORD = 'bluebubbles-test-password';
/** A query this young counts as somebody who listens. */
const FRESH_MS = 300;

export interface FakeBlueBubbles extends ChannelPlatform {
  readonly mac: Mac;
  readonly url: string;
  readonly calls: readonly { readonly path: string; readonly body: any }[];
  /** Webhooks that were registered, with their events. */
  readonly hooks: readonly { readonly url: string; readonly events: readonly string[] }[];
  /** Handles without iMessage. */
  readonly smsOnly: Set<string>;
  privateApi: boolean;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const CUT: unique symbol = Symbol('cut');

/** Messages that no server lists: without what every message has, or with it in another form. */
const BABBLE: readonly unknown[] = [
  null,
  7,
  {},
  { guid: 5, text: {}, chats: 'none' },
  { guid: 'B1', originalROWID: 'x', text: null, handle: 7, chats: [null], attachments: {} },
];

export async function startFakeBlueBubbles(): Promise<FakeBlueBubbles> {
  const dir = await tempDir('bluebubbles');
  const mac = createMac(join(dir.path, 'Attachments'));
  const calls: { path: string; body: any }[] = [];
  const hooks: { url: string; events: readonly string[] }[] = [];
  const smsOnly = new Set<string>();
  const own = { privateApi: true, asked: 0 };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, url);
    const path = decodeURIComponent(pathname.replace('/api/v1/', ''));
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ status, ...body }));
    try {
      const body = await bodyOf(request);
      if (searchParams.get('password') !== PASSWORD || !mac.state.valid) throw new Refused(401, 'Unauthorized');
      calls.push({ path, body });
      const data = await run(path, body, searchParams);
      if (data === CUT) response.destroy();
      else if (data instanceof Uint8Array) response.writeHead(200).end(data);
      else answer(200, { message: 'Success', data });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      answer(error.status, { message: error.message, error: { type: 'Error', error: error.message } });
    }
  }

  async function run(path: string, body: any, query: URLSearchParams): Promise<unknown> {
    const [first = '', second = '', third = ''] = path.split('/');
    if (path === 'ping') return 'pong';
    if (path === 'server/info')
      return {
        server_version: '1.9.9',
        private_api: own.privateApi,
        helper_connected: own.privateApi,
        detected_imessage: SELF,
      };
    if (path === 'message/query') return queried(body);
    if (path === 'message/text') return post(body, undefined);
    if (path === 'message/attachment') return post(body, body.file);
    if (path === 'message/react') return reacted(body);
    if (path === 'webhook') return body ? void hooks.push(body) : hooks;
    if (path === 'handle/availability/imessage') return { available: !smsOnly.has(query.get('address')!) };
    if (first === 'attachment' && third === 'download')
      return mac.rows.flatMap(({ files }) => files).find(({ guid }) => guid === second)?.data ?? notFound();
    if (first === 'chat' && third === 'typing') {
      const { id } = chatOf(second);
      return void mac.typing.set(id, (mac.typing.get(id) ?? 0) + 1);
    }
    if (first === 'chat' && third === 'read') return mac.markRead(chatOf(second).id);
    const row = first === 'message' ? mac.find(second) : undefined;
    if (!row) throw new Refused(404, 'Message does not exist!');
    if (third === 'edit') return void (row.text = body.editedMessage);
    if (third === 'unsend') return void (row.gone = true);
    return messageOf(row);
  }

  function notFound(): never {
    throw new Refused(404, 'Attachment does not exist!');
  }

  /** What the next answer begins with. */
  const babble: unknown[] = [];
  function queried({ where = [], sort, limit = 100, chatGuid, after = 0 }: any): unknown {
    if (where.length > 0) own.asked = Date.now();
    const from = where[0]?.args.from ?? 0;
    const found = mac.rows.filter((row) => row.id > from && row.at >= after && (!chatGuid || guidOf(row) === chatGuid));
    const shown = (sort === 'DESC' ? found.toReversed() : found).slice(0, limit).map(messageOf);
    return [...babble.splice(0), ...shown];
  }

  async function post(
    { chatGuid, message = '', selectedMessageGuid, isAudioMessage }: any,
    file: any,
  ): Promise<unknown> {
    const fault = mac.faults.shift();
    if (fault === 'rate-limit') throw new Refused(429, 'Too many requests');
    if (fault === 'refused') throw new Refused(500, 'Message Send Error: Error Code: 22');
    if (fault === 'server-error') throw new Refused(500, 'Message Send Error: Messages is not running');
    if (fault === 'dropped') return CUT;
    const kept = file && (await mac.keep({ ...file, voice: isAudioMessage === 'true' }));
    const row = mac.add({
      chat: chatOf(chatGuid),
      by: SELF,
      text: message,
      files: kept ? [kept] : [],
      ...(selectedMessageGuid ? { replyTo: selectedMessageGuid } : {}),
    });
    return fault === 'accepted-timeout' ? CUT : messageOf(row);
  }

  function reacted({ chatGuid, selectedMessageGuid: target, reaction }: any): unknown {
    const emoji = { like: '👍', love: '❤️' }[String(reaction).replace('-', '')] ?? '❓';
    return messageOf(
      mac.add({
        chat: chatOf(chatGuid),
        by: SELF,
        text: '',
        reaction: { emoji, target, removed: reaction.startsWith('-') },
      }),
    );
  }

  const chatOf = (guid: string): Row['chat'] =>
    guid.includes(';+;') ? { kind: 'group', id: guid } : { kind: 'direct', id: guid.split(';').at(-1)! };
  const guidOf = ({ chat }: Row): string => (chat.kind === 'direct' ? `iMessage;-;${chat.id}` : chat.id);
  const messageOf = (row: Row): object => ({
    originalROWID: row.id,
    guid: row.guid,
    text: row.text,
    handle: row.by === SELF ? null : { address: row.by, service: 'iMessage' },
    attachments: row.files.map(({ guid, name, mime, data }) => ({
      guid,
      transferName: name,
      mimeType: mime,
      totalBytes: data.length,
    })),
    dateCreated: row.at,
    dateEdited: row.edited ?? null,
    isFromMe: row.by === SELF,
    isForward: row.forwarded ?? false,
    isAudioMessage: row.files.some(({ voice }) => voice),
    itemType: 0,
    threadOriginatorGuid: row.replyTo ?? null,
    associatedMessageGuid: row.reaction ? `p:0/${row.reaction.target}` : null,
    associatedMessageType: row.reaction ? `${row.reaction.removed ? '-' : ''}like` : null,
    chats: [
      {
        guid: guidOf(row),
        style: row.chat.kind === 'direct' ? 45 : 43,
        displayName: row.chat.kind === 'direct' ? '' : 'Friends',
      },
    ],
  });

  return {
    url,
    config: { serverUrl: url, pollSeconds: 0.05, sendReadReceipts: true },
    credentials: { password: PASSWORD },
    botId: SELF,
    mac,
    calls,
    hooks,
    smsOnly,
    get privateApi() {
      return own.privateApi;
    },
    set privateApi(on) {
      own.privateApi = on;
    },
    write: mac.write,
    change: mac.change,
    react: mac.react,
    redeliver: mac.redeliver,
    seen: mac.seen,
    typed: ({ id }) => mac.typing.get(id) ?? 0,
    failSends: (how, times) => void mac.faults.push(...Array.from({ length: times }, () => how)),
    cut: () => server.closeAllConnections(),
    babble: () => void babble.push(...BABBLE),
    revoke: () => void (mac.state.valid = false),
    get consumers() {
      return Date.now() - own.asked < FRESH_MS ? 1 : 0;
    },
    get acknowledged() {
      return [...mac.read];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return raw.length > 0 ? JSON.parse(raw.toString()) : undefined;
  const form = await new Response(raw, { headers: { 'content-type': type } }).formData();
  const file = form.get('attachment') as File;
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
  return { ...fields, file: { name: file.name, mime: file.type, data: Buffer.from(await file.arrayBuffer()) } };
}
