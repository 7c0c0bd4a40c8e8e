/** Finds the groups of a turn: from its reply target, its session key, and the sessions that requested it. Pure. */
import type { ChatAddress, PlaceNames } from '../../core/message.ts';
import type { IdForms } from '../../core/place-key.ts';
import { present } from '../../core/present.ts';
import { parseSessionKey } from '../../core/session-key.ts';

/** What is absent is not known. */
export interface GroupPlace extends KnownPlace {
  readonly channel: string;
  readonly id: string;
  readonly accountId?: string;
  readonly threadId?: string;
  /** Absent: the channel is not known, and a key that may be an id is one. */
  readonly ids?: IdForms;
}

/** What the message of a turn tells of its place beside the address. */
export interface KnownPlace {
  readonly spaceId?: string;
  readonly names?: PlaceNames;
}

export interface GroupQuery {
  readonly address: ChatAddress;
  readonly sessionKey: string;
  /** Keys of the sessions that asked for this one's work, the nearest first. */
  readonly origins?: readonly string[] | undefined;
  readonly known?: KnownPlace | undefined;
  /** How ids look on a channel. */
  readonly idForms?: ((channel: string) => IdForms | undefined) | undefined;
}

/**
 * Each of them counts: work that answers in another place keeps the limits of the one it was asked for in. Empty in
 * conversations with one person.
 */
export function groupPlaces({ address, sessionKey, origins = [], known, idForms }: GroupQuery): readonly GroupPlace[] {
  const { channel, accountId, chat, threadId } = address;
  const here: readonly GroupPlace[] =
    chat.kind === 'direct' ? [] : [{ channel, id: chat.id, accountId, ...present({ threadId }), ...known }];
  const named = [sessionKey, ...origins].flatMap((key) => groupOfKey(key) ?? []);
  const places = named.reduce(
    (known, one) => (known.some((other) => isSame(other, one)) ? known : [...known, one]),
    here,
  );
  return places.map((place) => {
    const ids = idForms?.(place.channel);
    return ids ? { ...place, ids } : place;
  });
}

/** Keys are lower case. What is known of the thread first is known best. */
const isSame = (known: GroupPlace, { channel, id }: GroupPlace): boolean =>
  known.channel === channel && known.id.toLowerCase() === id.toLowerCase();

/** `agent:<id>:<channel>:(group|channel):<group>`, and its thread or topic. */
function groupOfKey(key: string): GroupPlace | undefined {
  const match = /^([^:]+):(?:group|channel):(.+?)(?::(?:thread|topic):(.*))?$/s.exec(parseSessionKey(key)?.rest ?? '');
  return match ? present({ channel: match[1]!, id: match[2]!, threadId: match[3] || undefined }) : undefined;
}
