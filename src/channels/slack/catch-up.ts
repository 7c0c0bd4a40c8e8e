/** Reads messages sent while the bot was offline from the history of chats in use, oldest first. */
import { AppError, type Log, present } from '../../sdk/index.ts';
import { listOf, microsOf, millisOf, recordOf, textOf, type Answer } from './answer.ts';
import type { Api } from './api.ts';
import type { Mark } from './seen.ts';
import type { Update } from './update.ts';

const PAGES = 5;
/** What is older was meant for another day. */
const OLDEST_MS = 24 * 3_600_000;

export interface CatchUpDeps {
  readonly api: Api;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly marks: readonly Mark[];
  readonly teamId?: string;
  /** Resolves once the update is taken. */
  take(update: Update): Promise<unknown>;
}

/** Answers with what stopped it, as a sentence; undefined when all was read. */
export async function catchUp(deps: CatchUpDeps): Promise<string | undefined> {
  const problems = new Set<string>();
  for (const mark of deps.marks) {
    if (deps.signal.aborted) return undefined;
    try {
      await catchUpWith(deps, mark);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'rate_limited' || error.code === 'auth' || error.code === 'aborted') return error.message;
      if (error.code === 'denied') problems.add(error.message);
      deps.log.debug('slack.catch-up', { channel: mark.channel, reason: error.message });
    }
  }
  return problems.size > 0 ? [...problems].join(' ') : undefined;
}

async function catchUpWith({ take, teamId, ...deps }: CatchUpDeps, mark: Mark): Promise<void> {
  for (const message of await missed(deps, mark)) {
    if (deps.signal.aborted) return;
    await take({
      kind: 'event',
      body: { ...message, type: 'message', channel: mark.channel },
      ...present({ teamId: teamId || undefined }),
    });
  }
}

async function missed(
  { api, signal }: Pick<CatchUpDeps, 'api' | 'signal'>,
  { channel, thread, ts }: Mark,
): Promise<readonly Answer[]> {
  const oldest = Math.max(microsOf(ts), (Date.now() - OLDEST_MS) * 1000);
  const found: Answer[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES && !signal.aborted; page++) {
    const answer = await api.call(
      thread ? 'conversations.replies' : 'conversations.history',
      present({
        channel,
        oldest: (oldest / 1_000_000).toFixed(6),
        inclusive: false,
        limit: 100,
        ts: thread || undefined,
        cursor: cursor || undefined,
      }),
    );
    found.push(...listOf(answer['messages']).filter((message) => isLater(message, oldest)));
    cursor = textOf(recordOf(answer['response_metadata'])['next_cursor']);
    if (!cursor) break;
  }
  return found.sort((a, b) => microsOf(a['ts'] as string) - microsOf(b['ts'] as string));
}

/** A thread's first message comes along with every page. */
const isLater = ({ ts }: Answer, oldest: number): boolean =>
  millisOf(ts) !== undefined && microsOf(ts as string) > oldest;
