/** Connects one account, and wires up this folder's parts. */
import { join } from 'node:path';
import {
  AppError,
  createIntake,
  createProblemBoard,
  markHandled,
  present,
  setNewest,
  ignoreOutcome,
  systemClock,
  type ChannelAccount,
  type ChannelConnection,
  type ProblemBoard,
} from '../../sdk/index.ts';
import { act } from './actions.ts';
import { readReference } from './attachments.ts';
import { openBaileys } from './baileys-socket.ts';
import type { BaileysParts } from './begin-socket.ts';
import type { WhatsappConfig } from './config.ts';
import type { WaMessageKey } from './content.ts';
import { problemOf } from './disconnects.ts';
import { createGroups } from './groups.ts';
import { isPhone } from './ids.ts';
import { loadLibrary } from './library.ts';
import { folderOf, openDevice, type LinkedDevice } from './linked-device.ts';
import { createPeople } from './people.ts';
import { readLeft } from './read-left.ts';
import { createReceiver } from './receiver.ts';
import { openRecent } from './recent.ts';
import { createSender, type Sender } from './send.ts';
import { openSentMessages } from './sent-messages.ts';
import { openSession, type Session } from './session.ts';
import type { WaEvents, WaSelf, WaSocket } from './socket.ts';
import { openSpool } from './spool.ts';

type Account = ChannelAccount<WhatsappConfig>;

const CHANNEL = 'whatsapp';
const CLOSE_MS = 4000;
const ALIVE_MS = 5000;
const MAX_UNREAD_CHATS = 1000;
const MAX_UNREAD = 100;

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, log } = account;
  const library = await loadLibrary(config.library);
  const folder = folderOf(config, account.stateDir);
  const device = await openDevice(folder, library, log);
  await using opening = new AsyncDisposableStack();
  const spool = await openSpool(join(folder, 'inbox'), log);
  const sent = opening.use(await openSentMessages(folder, library, log));
  const recent = opening.use(await openRecent(folder, log));
  const intake = opening.use(createIntake({ log, closeMs: CLOSE_MS }));
  const problems = createProblemBoard(account.report);
  const holder: { session?: Session; self: WaSelf } = { self: selfIn(device) };
  /** Who people are is known once there is a connection. */
  const ready = Promise.withResolvers<void>();
  markHandled(ready.promise);
  const socket = async (): Promise<WaSocket> => {
    if (!holder.session) throw new AppError('unavailable', 'The connection to WhatsApp is being opened.');
    return holder.session.ready();
  };
  const people = createPeople(async (lid) => holder.session?.socket?.phoneOf(lid));
  const groups = createGroups(async (jid) => (await socket()).group(jid), {
    log,
    learned: ({ id, expiration = 0 }) => recent.setExpiration(id, expiration),
  });
  const unread = createUnread(account, () => holder.session?.socket);
  const parts: BaileysParts = { library, spool, sent };
  const receiver = createReceiver({
    channel: CHANNEL,
    account,
    intake,
    clock: systemClock,
    people,
    groups,
    recent,
    ready: () => ready.promise,
    self: () => holder.self,
    unread: unread.note,
  });
  opening.use(receiver);
  const events: WaEvents = { ...receiver, groupChanged: groups.changed, identity: people.learn, alive: alive(account) };
  for (const message of await readLeft(parts, device, log))
    receiver.message(message, () => spool.settle(message.key.id ?? ''));
  const session = await openSession({
    log,
    signal: account.signal,
    times: config.reconnect,
    open: (signal) => openOnce({ account, device, events, parts, signal }),
    onUp(connected) {
      holder.self = connected.self;
      up(connected, { account, device, problems });
    },
    onDown(why) {
      account.report({ connected: false });
      problems.set('connection', problemOf(why));
    },
  }).catch((error: unknown) => {
    ready.reject(error);
    throw error;
  });
  holder.session = session;
  ready.resolve();
  opening.use(session);
  const closing = opening.move();
  const sender = createSender({ account, recent, socket, answering: unread.read });
  return {
    ...abilities(sender, { session, socket, find: groups.find }),
    ended: session.ended,
    async [Symbol.asyncDispose]() {
      await closing[Symbol.asyncDispose]();
      await device.idle();
      account.report({ connected: false });
    },
  };
}

/** A device that WhatsApp logged out is put aside, so that a new login needs no force. */
async function openOnce({
  account,
  device,
  events,
  parts,
  signal,
}: {
  readonly account: Account;
  readonly device: LinkedDevice;
  readonly events: WaEvents;
  readonly parts: BaileysParts;
  readonly signal: AbortSignal;
}): Promise<WaSocket> {
  try {
    return await openBaileys({ config: account.config, device, log: account.log, signal, events }, parts);
  } catch (error) {
    if (error instanceof AppError && error.code === 'auth' && error.details?.['loggedOut'] === true)
      await device.retire();
    throw error;
  }
}

const selfIn = ({ creds }: LinkedDevice): WaSelf => ({ id: creds.me!.id });

function up(
  { self }: WaSocket,
  { account, device, problems }: { account: Account; device: LinkedDevice; problems: ProblemBoard },
): void {
  const { config, log } = account;
  problems.set('connection', undefined);
  problems.set(
    'restored',
    device.repaired.credentials
      ? { kind: 'runtime', message: 'The login was damaged and is restored from its backup.' }
      : undefined,
  );
  problems.set(
    'self-chat',
    config.selfChatMode && !config.allowFrom.includes(self.id) && !config.allowFrom.includes('*')
      ? {
          kind: 'config',
          message: `selfChatMode is on, but your own number ${self.id} may not write.`,
          fix: `Add "${self.id}" to channels.whatsapp.allowFrom.`,
        }
      : undefined,
  );
  device.backUp().catch((error: unknown) => log.warn('whatsapp.no-backup', { error }));
  account.report({
    connected: true,
    mode: 'linked device',
    self: { id: self.id, ...present({ name: self.name, handle: isPhone(self.id) ? self.id : undefined }) },
  });
}

/** Each frame proves that we are not deaf; said now and then. */
function alive({ report }: Account): () => void {
  const state = { at: Number.NEGATIVE_INFINITY };
  return () => {
    const now = performance.now();
    if (now - state.at < ALIVE_MS) return;
    state.at = now;
    report({ alive: true });
  };
}

interface Unread {
  note(chat: string, key: WaMessageKey): void;
  /** The agent turns to the chat. */
  read(chat: string): void;
}

/** Messages are marked as read when the agent turns to them: strangers and unanswered groups see no sign of life. */
function createUnread({ config }: Account, socket: () => WaSocket | undefined): Unread {
  const chats = new Map<string, WaMessageKey[]>();
  const marks = config.sendReadReceipts && !config.selfChatMode;
  return {
    note(chat, key) {
      if (marks) setNewest(chats, chat, [...(chats.get(chat) ?? []), key].slice(-MAX_UNREAD), MAX_UNREAD_CHATS);
    },
    read(chat) {
      const keys = chats.get(chat);
      chats.delete(chat);
      const connected = socket();
      if (keys && connected) void ignoreOutcome(connected.markRead(keys));
    },
  };
}

function abilities(
  sender: Sender,
  {
    session,
    socket,
    find,
  }: { session: Session; socket(): Promise<WaSocket>; find(jid: string): ReturnType<WaSocket['group']> },
): Omit<ChannelConnection, typeof Symbol.asyncDispose | 'ended'> {
  const { sendAs, ...methods } = sender;
  return {
    ...methods,
    act: (action, call) => act(action, call, { sendAs, group: find }),
    async download(ref, limits) {
      const found = readReference(ref);
      if (!found) throw new AppError('not_found', 'The file is none of WhatsApp.');
      return { data: await (await socket()).download(found.media, found.type, limits) };
    },
    async probe() {
      try {
        await (await session.ready()).ping();
        return { ok: true };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}
