/** Finds direct chats nobody was heard in yet: of people who wrote for the first time while nothing could come in. */
import { AppError, present, type Log } from '../../sdk/index.ts';
import { listOf, microsOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Mark } from './seen.ts';

const CHATS = 20;
const PAGES = 3;

export interface StrangersDeps {
  readonly api: Api;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Where somebody was heard, and when. */
  readonly marks: readonly Mark[];
}

/**
 * Where to look, from the last moment anybody was heard: what came before it is heard or was before the bot. Slack
 * tells a chat's changes and not its messages, so that those changed last are looked at.
 */
export async function strangers({ api, log, signal, marks }: StrangersDeps): Promise<readonly Mark[]> {
  const last = marks.toSorted((one, other) => microsOf(one.ts) - microsOf(other.ts)).at(-1);
  if (!last) return [];
  const known = new Set(marks.map(({ channel }) => channel));
  try {
    const chats = (await directs(api, signal)).filter(({ id }) => !known.has(textOf(id) ?? ''));
    return chats
      .toSorted((one, other) => changedAt(other) - changedAt(one))
      .slice(0, CHATS)
      .flatMap(({ id }) => (typeof id === 'string' ? [{ channel: id, ts: last.ts }] : []));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.debug('slack.strangers', { code: error.code, reason: error.message }); // apps without `im:read`
    return [];
  }
}

async function directs(api: Api, signal: AbortSignal): Promise<readonly Answer[]> {
  const found: Answer[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES && !signal.aborted; page++) {
    const answer = await api.call(
      'users.conversations',
      present({ types: 'im', limit: 200, cursor: cursor || undefined }),
    );
    found.push(...listOf(answer['channels']));
    cursor = textOf(recordOf(answer['response_metadata'])['next_cursor']);
    if (!cursor) break;
  }
  return found;
}

/** Milliseconds: `updated` is in them, `created` in seconds. */
const changedAt = ({ updated, created }: Answer): number =>
  Math.max(Number(updated) || 0, (Number(created) || 0) * 1000);
