/** What went wrong, for the overview: messages, commands, the log, and what features add in `page/wrong.ts`. */
import type { App } from '../app.ts';
import type { IconName } from '../elements/icons.ts';
import type { Answers } from '../../../src/protocol/answers.ts';
import type { Page } from '../routes.ts';
import { parseLogLine } from './log-lines.ts';

/** One problem. */
export interface WrongThing {
  readonly at: number;
  readonly icon: IconName;
  readonly words: string;
  readonly reason: string;
  /** Where a person can see more: a page, or the timeline of a message. */
  readonly more: { readonly page: Page } | { readonly runId: string };
}

/** A kind of problem. */
export interface Wrong<A = never> {
  readonly method: string;
  readonly params?: object;
  /** The beginning of the names of the events after which it is loaded again. */
  readonly events: string;
  things(answer: A): readonly WrongThing[];
}

const messages: Wrong<Answers['access.recent']> = {
  method: 'access.recent',
  params: { limit: 200 },
  events: 'sessions.changed',
  things: ({ messages: all }) =>
    all
      .filter(({ state }) => state === 'failed')
      .map(({ at, text, reason = 'The answer failed.', runId }) => ({
        at,
        icon: 'chat',
        words: text || 'A message',
        reason,
        more: { runId },
      })),
};

const ENDS: Readonly<Record<string, string>> = { timeout: 'It ran out of time.', lost: 'It was lost in a restart.' };

const commands: Wrong<Answers['process.list']> = {
  method: 'process.list',
  events: 'process.changed',
  things: ({ processes }) =>
    processes
      .filter(({ status, endReason }) => status === 'failed' && endReason !== 'killed' && endReason !== 'aborted')
      .map(({ endedAt = 0, command, endReason = '', exitCode, exitSignal }) => ({
        at: endedAt,
        icon: 'processes',
        words: command,
        reason: ENDS[endReason] ?? `It ended with ${exitSignal ?? `exit code ${exitCode ?? '?'}`}.`,
        more: { page: 'processes' },
      })),
};

const lines: Wrong<Answers['logs.tail']> = {
  method: 'logs.tail',
  params: { limit: 2000 },
  events: 'health',
  things: ({ lines: all }) =>
    all
      .map(parseLogLine)
      .filter(({ level, atMs }) => level === 'error' && atMs !== undefined)
      .map(({ atMs, event, rest }) => ({
        at: atMs!,
        icon: 'logs',
        words: event,
        reason: rest,
        more: { page: 'logs' },
      })),
};

const FOUND = import.meta.glob<{ readonly wrong: Wrong }>('../../../src/features/*/page/wrong.ts', { eager: true });
const wrongs: readonly Wrong[] = [messages, commands, lines, ...Object.values(FOUND).map(({ wrong }) => wrong)];

export const tellsOfWrong = (event: string): boolean => wrongs.some(({ events }) => event.startsWith(events));

/** The newest first; `attempt` handles a failed request of one of them. */
export async function wrongSince(
  app: App,
  since: number,
  attempt: <T>(answer: Promise<T>) => Promise<T | undefined>,
): Promise<readonly WrongThing[]> {
  const answers = wrongs
    .filter(({ method }) => app.offers(method))
    .map(async ({ method, params, things }) => {
      const answer = await attempt(app.connection.request<unknown>(method, params));
      return answer === undefined ? [] : things(answer as never);
    });
  return (await Promise.all(answers))
    .flat()
    .filter(({ at }) => at > since)
    .sort((a, b) => b.at - a.at);
}
