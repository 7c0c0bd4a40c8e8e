/** Bounded cache of group names and members, refreshed when they change. */
import { AppError, orTimeout, setNewest, type InboundMessage, type Log } from '../../sdk/index.ts';
import type { WaGroup } from './socket.ts';

export interface Groups {
  /** Name and size; undefined where WhatsApp does not say. Asked again after a while. */
  placeOf(jid: string): Promise<InboundMessage['place']>;
  find(jid: string): Promise<WaGroup>;
  changed(jid: string): void;
}

const MAX_GROUPS = 500;
const FRESH_MS = 30 * 60_000;
/** A group that cannot be asked is not asked with each of its messages. */
const FAILED_MS = 60_000;
/** A message does not wait longer for the name of its group. */
const PLACE_MS = 5000;

interface Known {
  readonly until: number;
  readonly group: Promise<WaGroup>;
}

export function createGroups(
  ask: (jid: string) => Promise<WaGroup>,
  {
    log,
    learned,
    now = () => performance.now(),
  }: {
    readonly log: Log;
    /** A group was read. */
    learned(group: WaGroup): void;
    now?(): number;
  },
): Groups {
  const groups = new Map<string, Known>();

  const find = (jid: string): Promise<WaGroup> => {
    const known = groups.get(jid);
    if (known && known.until > now()) return known.group;
    const group = ask(jid);
    setNewest(groups, jid, { until: now() + FRESH_MS, group }, MAX_GROUPS);
    group.then(learned, () => setNewest(groups, jid, { until: now() + FAILED_MS, group }, MAX_GROUPS));
    return group;
  };
  return {
    find,
    changed: (jid) => void groups.delete(jid),
    async placeOf(jid) {
      try {
        const { subject, members } = await orTimeout(find(jid), {
          ms: PLACE_MS,
          error: () => new AppError('timeout', 'WhatsApp did not say what the group is called.'),
        });
        return subject === '' ? undefined : { chat: subject, members };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        log.debug('whatsapp.group', { code: error.code });
        return undefined;
      }
    },
  };
}
