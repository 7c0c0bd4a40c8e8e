/** A fake imsg: a program that the channel starts, connected to a fake Mac in the test's process, and its users. */
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ChannelPlatform } from '../../testing/channel-platform.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createMac, SELF, type Mac, type Row } from './fake-mac.ts';

type Params = Readonly<Record<string, any>>;

export interface FakeImsg extends ChannelPlatform {
  readonly mac: Mac;
  readonly calls: readonly { readonly method: string; readonly params: Params }[];
  /** Writes a line to every program. */
  tell(line: string): void;
  /** What the bridge into Messages does: nothing without it. */
  bridge: boolean;
}

class Failure extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

const CUT: unique symbol = Symbol('cut');
export const GROUP_ID = 42;
const DIRECT_IDS: Readonly<Record<string, number>> = { '+15550000002': 2, '+15550000003': 3 };

/** Its standard input and output are those of whoever listens on `port`. */
const relay = (port: number): string =>
  `const socket = require('node:net').connect(${port}, '127.0.0.1');
socket.on('error', () => process.exit(1)).on('close', () => process.exit(1));
process.stdin.pipe(socket).pipe(process.stdout);
`;

/** Lines that no imsg writes: no JSON, answers to nothing, or without what they have to have. */
const BABBLE: readonly string[] = [
  'no json',
  '',
  'null',
  '[]',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":99999,"result":{}}',
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
  '{"jsonrpc":"2.0","method":"message","params":null}',
  '{"jsonrpc":"2.0","method":"message","params":{"message":{"guid":1,"id":"x","chat_id":[]}}}',
  '{"jsonrpc":"2.0","method":"something.new","params":{}}',
];

export async function startFakeImsg(): Promise<FakeImsg> {
  const dir = await tempDir('imsg');
  const mac = createMac(join(dir.path, 'Attachments'));
  const sockets = new Map<Socket, number>();
  const calls: { method: string; params: Params }[] = [];
  const own = { bridge: true };

  const server = createServer((socket) => {
    sockets.set(socket, 0);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) void handle(socket, JSON.parse(line) as { id: string; method: string; params: Params });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cliPath = join(dir.path, 'imsg');
  await writeFile(`${cliPath}.cjs`, relay((server.address() as AddressInfo).port));
  await writeFile(cliPath, `#!/bin/sh\nexec '${process.execPath}' '${cliPath}.cjs' "$@"\n`);
  await chmod(cliPath, 0o755);

  const put = (socket: Socket, message: object): void =>
    void (socket.destroyed || socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`));

  async function handle(socket: Socket, { id, method, params }: { id: string; method: string; params: Params }) {
    calls.push({ method, params });
    try {
      const result = await run(socket, method, params);
      if (result === CUT) socket.destroy();
      else put(socket, { id, result });
      if (method === 'watch.subscribe') replay(socket, params['since_rowid']);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      put(socket, { id, error: { code: error.code, message: error.message, data: error.data } });
    }
  }

  function replay(socket: Socket, since: number | undefined): void {
    sockets.set(socket, 1);
    if (since === undefined) return;
    for (const row of mac.rows) if (row.id > since) put(socket, shown(row));
  }
  const shown = (row: Row): object => ({ method: 'message', params: { subscription: 1, message: messageOf(row) } });
  mac.watchers.add((row, changed) => {
    if (!changed) for (const [socket, watching] of sockets) if (watching) put(socket, shown(row));
  });

  const chatIdOf = (row: Row): number => (row.chat.kind === 'direct' ? (DIRECT_IDS[row.chat.id] ?? 9) : GROUP_ID);
  const messageOf = (row: Row): object => ({
    id: row.id,
    cursor: row.id,
    chat_id: chatIdOf(row),
    chat_identifier: row.chat.kind === 'direct' ? row.chat.id : 'chat42',
    chat_guid: row.chat.kind === 'direct' ? `iMessage;-;${row.chat.id}` : 'iMessage;+;chat42',
    chat_name: row.chat.kind === 'direct' ? '' : 'Friends',
    participants: [],
    is_group: row.chat.kind !== 'direct',
    guid: row.guid,
    sender: row.by,
    is_from_me: row.by === SELF,
    text: row.text,
    created_at: new Date(row.at).toISOString(),
    attachments: row.files.map(({ name, mime, path, data }) => ({
      filename: path,
      transfer_name: name,
      mime_type: mime,
      byte_size: data.length,
      missing: false,
      path,
    })),
    ...(row.replyTo ? { reply_to_guid: row.replyTo } : {}),
    ...(row.reaction
      ? {
          is_reaction: true,
          reaction_type: 'custom',
          reaction_emoji: row.reaction.emoji,
          is_reaction_add: !row.reaction.removed,
          reacted_to_guid: row.reaction.target,
        }
      : {}),
  });

  const chatOf = ({ to, chat_id: id, chat_identifier: identifier }: Params): Row['chat'] => {
    const handle = to ?? identifier ?? Object.entries(DIRECT_IDS).find(([, one]) => one === id)?.[0];
    return handle ? { kind: 'direct', id: handle } : { kind: 'group', id: String(id) };
  };
  const needBridge = (): void => {
    if (!own.bridge) throw new Failure(-32003, 'bridge is not ready; run imsg launch');
  };
  const message = (guid: string): Row => {
    needBridge();
    const row = mac.find(guid);
    if (!row || row.by !== SELF) throw new Failure(-32602, `message not found: ${guid}`);
    return row;
  };

  async function post(params: Params, voice = false): Promise<unknown> {
    const fault = mac.faults.shift();
    if (fault === 'rate-limit') throw new Failure(-32000, 'Server busy');
    if (fault === 'refused') throw new Failure(-32602, 'invalid recipient: not registered with iMessage');
    if (fault === 'server-error')
      throw new Failure(-32603, 'send failed', {
        retry_safe: true,
        disposition: 'not_started',
        detail: 'Messages is not running',
      });
    if (fault === 'dropped') return CUT;
    const file = params['file'] as string | undefined;
    const { readFile } = await import('node:fs/promises');
    const data = file && (await readFile(file));
    const kept =
      file && data ? [await mac.keep({ name: file.split('/').at(-1)!, mime: 'audio/ogg', data, voice })] : [];
    const row = mac.add({
      chat: chatOf(params),
      by: SELF,
      text: params['text'] ?? '',
      files: kept,
      replyTo: params['reply_to'],
    });
    mac.tell(row);
    return fault === 'accepted-timeout' ? CUT : { ok: true, id: row.id, guid: row.guid };
  }

  async function run(_socket: Socket, method: string, params: Params): Promise<unknown> {
    switch (method) {
      case 'status':
        return {
          version: '0.15.10',
          database: mac.state.valid ? { ready: true } : { ready: false, error: 'authorization denied' },
          bridge: { ready: own.bridge },
        };
      case 'chats.list':
        return {
          chats: Object.entries(DIRECT_IDS).map(([identifier, id]) => ({
            id,
            identifier,
            is_group: false,
            account_login: `E:${SELF}`,
          })),
        };
      case 'watch.subscribe':
        return { subscription: 1, buffer_limit: 256 };
      case 'send':
        return post(params);
      case 'send.attachment':
        needBridge();
        return post(params, params['audio'] === true);
      case 'message.edit': {
        message(params['message_guid']).text = params['text'];
        return { ok: true };
      }
      case 'message.unsend':
        message(params['message_guid']).gone = true;
        return { ok: true };
      case 'tapback': {
        needBridge();
        const emoji = params['emoji'] ?? { like: '👍', love: '❤️' }[params['reaction'] as string] ?? '❓';
        const reaction = { emoji, target: params['message_guid'], removed: params['remove'] === true };
        mac.add({ chat: chatOf(params), by: SELF, text: '', reaction });
        return { ok: true };
      }
      case 'typing':
        mac.typing.set(chatOf(params).id, (mac.typing.get(chatOf(params).id) ?? 0) + 1);
        return { ok: true };
      case 'read':
        mac.markRead(chatOf(params).id);
        return { ok: true };
      case 'messages.history': {
        const { id } = chatOf(params);
        const start = Date.parse(params['start']);
        return { messages: mac.rows.filter((row) => row.chat.id === id && row.at >= start).map(messageOf) };
      }
      default:
        throw new Failure(-32601, `unknown method ${method}`);
    }
  }

  return {
    config: { cliPath, attachmentRoots: [join(dir.path, 'Attachments')], sendReadReceipts: true },
    credentials: {},
    botId: SELF,
    mac,
    calls,
    tell: (line) => sockets.forEach((_, socket) => socket.write(`${line}\n`)),
    get bridge() {
      return own.bridge;
    },
    set bridge(ready) {
      own.bridge = ready;
    },
    write: mac.write,
    change: mac.change,
    react: mac.react,
    redeliver: mac.redeliver,
    seen: mac.seen,
    typed: ({ id }) => mac.typing.get(id) ?? 0,
    failSends: (how, times) => void mac.faults.push(...Array.from({ length: times }, () => how)),
    cut: () => sockets.forEach((_, socket) => socket.destroy()),
    babble: () => sockets.forEach((_, socket) => void socket.write(`${BABBLE.join('\n')}\n`)),
    revoke: () => void (mac.state.valid = false),
    get consumers() {
      return [...sockets.values()].filter(Boolean).length;
    },
    get acknowledged() {
      return [...mac.read];
    },
    async [Symbol.asyncDispose]() {
      sockets.forEach((_, socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}
