/** The chat that belongs to a session: the one that last wrote to it, checked against its key. Pure. */
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { lastAddress } from '../../host/delivery-target.ts';

export interface OwnAddressDeps {
  /** The id of a channel that is configured and can be written to. */
  channelId(name: string): string | undefined;
}

/** `<channel>:group:<id>` or `<channel>:channel:<id>`, and its thread or topic. */
const PLACE = /^([^:]+):(group|channel):(.+?)(?::(?:thread|topic):(.+))?$/s;
/** `dm:<person>`, `<channel>:dm:<person>`, `<channel>:<account>:dm:<person>`. */
const PERSON = /^(?:([^:]+):(?:([^:]+):)?)?dm:.+$/;

/** Undefined: it has none that messages can be sent to. A key that names a place outranks what the entry remembers. */
export function ownAddress(
  key: string,
  entry: SessionEntry | undefined,
  deps: OwnAddressDeps,
): ChatAddress | undefined {
  const last = lastAddress(entry, deps);
  const rest = parseSessionKey(key)?.rest ?? key;
  const place = PLACE.exec(rest);
  const channel = place && deps.channelId(place[1]!);
  if (place && channel)
    return placeAddress({ channel, kind: place[2] as 'group' | 'channel', id: place[3]!, thread: place[4] }, last);
  if (place) return undefined;
  const person = PERSON.exec(rest);
  // The name in such a key may be one that configuration gave to several ids: it is no address by itself.
  if (person)
    return last?.chat.kind === 'direct' && fits(person[1], last.channel) && fits(person[2], last.accountId)
      ? last
      : undefined;
  return last?.chat.kind === 'direct' ? last : undefined;
}

interface Place {
  readonly channel: string;
  readonly kind: 'group' | 'channel';
  readonly id: string;
  readonly thread: string | undefined;
}

/** Keys are lower case and name no account: both come from the entry where it means the same place. */
function placeAddress({ channel, kind, id, thread }: Place, last: ChatAddress | undefined): ChatAddress {
  const same = last?.channel === channel && last.chat.id.toLowerCase() === id ? last : undefined;
  const threadId = thread !== undefined && same?.threadId?.toLowerCase() === thread ? same.threadId : thread;
  return {
    channel,
    accountId: same?.accountId ?? (last?.channel === channel ? last.accountId : DEFAULT_ACCOUNT_ID),
    chat: { kind, id: same?.chat.id ?? id },
    ...present({ threadId }),
  };
}

const fits = (wanted: string | undefined, there: string): boolean =>
  wanted === undefined || wanted === there.toLowerCase();
