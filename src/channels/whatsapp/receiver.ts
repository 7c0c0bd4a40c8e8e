/** Passes messages to the gateway in order per chat, and removes them from the spool once accepted. */
import { createAlbums, type Albums } from '../../sdk/albums.ts';
import {
  onFailure,
  present,
  setNewest,
  type ChannelAccount,
  type Clock,
  type InboundMessage,
  type Intake,
} from '../../sdk/index.ts';
import { mergeAlbum } from '../../sdk/said.ts';
import type { WhatsappConfig } from './config.ts';
import {
  albumOf,
  announcedIn,
  contextOf,
  EPHEMERAL_SETTING,
  MESSAGE_EDIT,
  numberOf,
  REVOKE,
  unwrap,
  wordsOf,
  type WaContent,
  type WaMessage,
  type WaMessageKey,
} from './content.ts';
import type { Groups } from './groups.ts';
import { isGroup } from './ids.ts';
import { normalise, type ProcessScanner } from './inbound.ts';
import type { People } from './people.ts';
import { quietMessage } from './quiet-events.ts';
import type { Recent } from './recent.ts';
import type { WaEvents, WaSelf } from './socket.ts';

export interface ReceiverDeps {
  readonly channel: string;
  readonly account: Pick<ChannelAccount<WhatsappConfig>, 'accountId' | 'config' | 'receive' | 'log'>;
  readonly intake: Intake;
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly people: People;
  readonly groups: Groups;
  readonly recent: Recent;
  self(): WaSelf;
  /** Resolves once there is a connection; rejects where there will be none. */
  ready(): Promise<void>;
  /** A message of a person was taken. */
  unread(chat: string, key: WaMessageKey): void;
}

type Chat = InboundMessage['address']['chat'];

export type Receiver = Pick<WaEvents, 'message' | 'history' | 'vote'> & Disposable;

/** A message that stays in the spool until it is settled. */
interface Spooled {
  readonly message: WaMessage;
  settled(): Promise<void>;
}

const MAX_ALBUMS = 200;
/** Announced in another life of the gateway, which did not live to see it whole: more pieces may come. */
const UNKNOWN = Number.POSITIVE_INFINITY;

export function createReceiver(deps: ReceiverDeps): Receiver {
  const { intake, people, account } = deps;
  const { log } = account;
  /** When the connection was made: what the history has is older. */
  const since = { newest: deps.recent.newest };

  const albums: Albums<Spooled> = createAlbums(deps.clock);
  /** How many pieces albums have, by the id that the pieces name. */
  const announced = new Map<string, number>();

  /** Settled from the last to the first: whatever a crash leaves of an album begins as it did, and is known by that. */
  async function takeAll(order: string, whole: () => Promise<readonly Spooled[]>): Promise<void> {
    await intake.take(order, async () => {
      await take(
        (await whole()).map(({ message }) => message),
        deps,
      );
      return true;
    });
    for (const one of (await whole()).toReversed()) await one.settled();
  }

  const offer = (message: WaMessage, settled: () => Promise<void>): void => {
    const piece = { message, settled };
    const order = orderOf(message.key, people);
    const [album, pieces] = [albumOf(message.message), announcedIn(message.message)];
    // Senders choose these ids: a piece that names somebody else's album must not join their words.
    const of = (id: unknown): string => JSON.stringify([order, authorOf(message.key, people), id]);
    if (pieces !== undefined) setNewest(announced, of(message.key.id), pieces, MAX_ALBUMS);
    const key = of(album);
    const taken =
      album === undefined
        ? takeAll(order, () => Promise.resolve([piece]))
        : albums.join({ key, expected: announced.get(key) ?? UNKNOWN }, piece, (whole) => {
            // From here on nobody waits for a piece.
            const late = (): void => void setNewest(announced, key, 0, MAX_ALBUMS);
            onFailure(whole().then(late), late);
            return takeAll(order, whole);
          });
    // Closed on its way: it is in the spool still. Given up: it would hold up its chat for ever.
    onFailure(taken, () => log.warn('whatsapp.not-taken', { messageId: message.key.id }));
  };
  return {
    message: offer,
    history(messages) {
      const { catchUp, catchUpHours } = account.config;
      const oldest = Math.max(since.newest, Date.now() - catchUpHours * 3_600_000);
      if (!catchUp || since.newest === 0) return;
      const missed = messages.filter((message) => timeOf(message) > oldest && message.key.fromMe !== true);
      for (const message of missed.toSorted((a, b) => timeOf(a) - timeOf(b))) offer(message, async () => undefined);
      if (missed.length > 0) log.info('whatsapp.caught-up', { messages: missed.length });
    },
    vote({ key, voter, options }) {
      const happened = async (): Promise<void> => {
        const where = await surroundings({ ...voter, remoteJid: key.remoteJid ?? null }, deps);
        if (!where) return;
        const text = options.length === 0 ? 'took back the vote' : `voted for ${options.join(', ')}`;
        const id = key.id ?? '';
        const about = `vote:${id}:${where.person}:${options.join('|')}`;
        await account.receive(quietMessage({ id, key: about, text: `${text} in poll ${id}.`, at: Date.now() }, where));
      };
      onFailure(intake.take(orderOf(key, people), happened), () => undefined);
    },
    [Symbol.dispose]: () => albums[Symbol.dispose](),
  };
}

const timeOf = ({ messageTimestamp }: WaMessage): number => (numberOf(messageTimestamp) ?? 0) * 1000;

/** Messages of one chat keep their order. */
const orderOf = ({ remoteJid, remoteJidAlt }: WaMessageKey, people: People): string =>
  people.known(remoteJid, remoteJidAlt) ?? remoteJid ?? '';

const authorOf = ({ fromMe, participant, participantAlt }: WaMessageKey, people: People): string | true =>
  fromMe === true || (people.known(participant, participantAlt) ?? participant ?? '');

/** Several: the pieces of an album. */
async function take(messages: readonly WaMessage[], deps: ReceiverDeps): Promise<void> {
  await deps.ready();
  const [message] = messages;
  if (!message) return;
  const { key } = message;
  const where = await surroundings(key, deps);
  const content = unwrap(message.message)?.content;
  if (!where || !content) return;
  if (!key.fromMe) deps.people.name(where.person, message.pushName);
  followExpiration(content, where.chat, deps);
  if (content.reactionMessage) return react(message, content, { where, deps });
  if (content.protocolMessage) return protocol(message, content.protocolMessage, { where, deps });
  const known = deps.recent.find(where.chat.id, key.id ?? '');
  // What another device of the account wrote is ours to quote, and to answer in the chat with oneself alone.
  const accepts = !known?.ours && (!key.fromMe || isSelfChat(where.chat, deps.self()));
  const found = messages.flatMap((each) => normalise(each, where) ?? []);
  const [first, ...rest] = found;
  if (!first) return;
  if (accepts) await deps.account.receive(rest.length > 0 ? mergeAlbum([first, ...rest]) : first);
  if (known?.ours) return;
  for (const each of messages) {
    note(each, found.find(({ id }) => id === each.key.id)?.text ?? '', { where, deps });
    if (accepts && !each.key.fromMe) deps.unread(where.chat.id, each.key);
  }
}

interface Here {
  readonly where: ProcessScanner;
  readonly deps: ReceiverDeps;
}

const isSelfChat = ({ id, kind }: Chat, self: WaSelf): boolean =>
  kind === 'direct' && (id === self.id || id === self.lid);

function note({ key }: WaMessage, text: string, { where, deps }: Here): void {
  deps.recent.note({
    chat: where.chat.id,
    id: key.id!,
    at: where.now,
    by: where.person,
    text,
    ...present({ participant: key.participant || undefined, fromMe: key.fromMe ? (true as const) : undefined }),
  });
}

/** Undefined for what is no conversation: statuses, broadcasts, newsletters. */
async function surroundings(key: WaMessageKey, deps: ReceiverDeps): Promise<ProcessScanner | undefined> {
  const { people, groups, account, channel } = deps;
  const self = deps.self();
  const jid = key.remoteJid ?? '';
  const group = isGroup(jid);
  const author = group ? people.find(key.participant, key.participantAlt) : people.find(jid, key.remoteJidAlt);
  const other = await author;
  const person = key.fromMe ? self.id : other;
  const chatId = group ? jid : other === self.lid ? self.id : other;
  if (person === undefined || chatId === undefined) return undefined;
  const place = group ? await groups.placeOf(jid) : undefined;
  return {
    channel,
    accountId: account.accountId,
    self,
    chat: { kind: group ? 'group' : 'direct', id: chatId },
    person,
    personOf: (one) => people.known(one),
    nameOf: people.nameOf,
    now: Date.now(),
    ...present({ place }),
  };
}

/** Chats where messages disappear say so in each message. */
function followExpiration(content: WaContent, { id }: Chat, { recent }: ReceiverDeps): void {
  const { protocolMessage } = content;
  const seconds =
    protocolMessage?.type === EPHEMERAL_SETTING
      ? (protocolMessage.ephemeralExpiration ?? 0)
      : contextOf(content)?.expiration;
  if (typeof seconds === 'number' && seconds >= 0) recent.setExpiration(id, seconds);
}

async function react(message: WaMessage, content: WaContent, { where, deps }: Here): Promise<void> {
  const { reactionNotifications: mode } = deps.account.config;
  const { key: about, text: emoji } = content.reactionMessage!;
  if (mode === 'off' || message.key.fromMe || !emoji || !about?.id) return;
  const known = deps.recent.find(where.chat.id, about.id);
  const ours = known?.ours === true || about.fromMe === true;
  if (mode === 'own' && !ours) return;
  const at = timeOf(message) || where.now;
  const text = `reacted with ${emoji.slice(0, 20)} to ${ours ? 'your message' : 'message'} ${about.id}.`;
  await deps.account.receive(quietMessage({ id: about.id, key: `reaction:${message.key.id}`, text, at }, where));
}

/** Edits and deletions; the rest is between devices. */
async function protocol(
  message: WaMessage,
  { type, key: about, editedMessage, timestampMs }: NonNullable<WaContent['protocolMessage']>,
  { where, deps }: Here,
): Promise<void> {
  if (!about?.id || message.key.fromMe) return;
  const known = deps.recent.find(where.chat.id, about.id);
  if (known && known.by !== where.person) return; // nobody changes the words of others
  const at = timeOf(message) || where.now;
  if (type === MESSAGE_EDIT && editedMessage) {
    const version = numberOf(timestampMs) || at;
    const found = normalise({ ...message, message: editedMessage }, where, { id: about.id, version });
    if (!found) return;
    await deps.account.receive(found);
    const words = wordsOf(unwrap(editedMessage)?.content ?? {});
    if (known) deps.recent.note({ ...known, text: words });
  } else if (type === REVOKE) {
    const text = `deleted message ${about.id}.`;
    await deps.account.receive(quietMessage({ id: about.id, key: `deleted:${about.id}`, text, at }, where));
  }
}
