/** Adaptive Cards: polls with results, and buttons. Submissions are checked against the card. Pure. */
import { AppError, buttonLabel, excerpt, readButtonRows, type ChoiceButton, type Poll } from '../../sdk/index.ts';

export interface CardAttachment {
  readonly contentType: 'application/vnd.microsoft.card.adaptive';
  readonly content: object;
}

export interface StoredPoll {
  readonly question: string;
  readonly options: readonly string[];
  readonly max: number;
  /** Milliseconds since the epoch; absent: open. */
  readonly until?: number;
  /** Choices by person. */
  readonly votes: Readonly<Record<string, readonly number[]>>;
}

const MAX_OPTIONS = 12;
const MAX_TEXT = 300;
const MAX_BUTTONS = 20;
const MAX_DATA = 2000;

const card = (body: readonly object[], actions: readonly object[] = []): CardAttachment => ({
  contentType: 'application/vnd.microsoft.card.adaptive',
  content: {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    actions,
  },
});
const line = (text: string, more: object = {}): object => ({ type: 'TextBlock', text, wrap: true, ...more });

export function newPoll({ question, options, maxSelections, durationHours }: Poll, now: number): StoredPoll {
  if (options.length > MAX_OPTIONS)
    throw new AppError('invalid', `A poll on Teams has at most ${MAX_OPTIONS} answers.`);
  const long = [question, ...options].find((one) => one.length > MAX_TEXT);
  if (long !== undefined)
    throw new AppError(
      'invalid',
      `On Teams a question and an answer have at most ${MAX_TEXT} characters: ${excerpt(long, 40)}`,
    );
  const until = durationHours === undefined ? {} : { until: now + durationHours * 3600_000 };
  return { question, options, max: maxSelections, votes: {}, ...until };
}

export function pollCard(id: string, { question, options, max, votes }: StoredPoll): CardAttachment {
  const all = Object.values(votes);
  const choices = options.map((title, index) => ({ title, value: String(index) }));
  const counts = options.map((option, index) => `${option}: ${all.filter((one) => one.includes(index)).length}`);
  const result =
    all.length === 0 ? [] : [line(`${counts.join(' · ')} (${all.length})`, { isSubtle: true, size: 'Small' })];
  return card(
    [
      line(question, { weight: 'Bolder' }),
      { type: 'Input.ChoiceSet', id: 'choice', style: 'expanded', isMultiSelect: max > 1, choices },
      ...result,
    ],
    [{ type: 'Action.Submit', title: 'Vote', data: { poll: id } }],
  );
}

/** The choices of a press on "Vote"; undefined: it is none. */
export function voteIn(
  value: Readonly<Record<string, unknown>> | undefined,
): { readonly poll: string; readonly chosen: readonly number[] } | undefined {
  const { poll, choice } = value ?? {};
  if (typeof poll !== 'string' || typeof choice !== 'string') return undefined;
  return {
    poll,
    chosen: choice
      .split(',')
      .filter((one) => /^\d{1,2}$/.test(one))
      .map(Number),
  };
}

/** The poll with that vote in place of an earlier one; undefined: it does not count. */
export function withVote(
  poll: StoredPoll,
  person: string,
  { chosen, now }: { readonly chosen: readonly number[]; readonly now: number },
): StoredPoll | undefined {
  const known = [...new Set(chosen)].filter((one) => one < poll.options.length);
  if (known.length === 0 || known.length > poll.max || now > (poll.until ?? Infinity)) return undefined;
  return { ...poll, votes: { ...poll.votes, [person]: known } };
}

/** Rows of `{text, data}` or `{text, url}`, as on every channel that has buttons. */
export function buttonCard(text: string, rows: unknown): CardAttachment {
  const buttons = readButtonRows(rows, { maxDataBytes: MAX_DATA, maxButtons: MAX_BUTTONS }).flat();
  return card(
    [line(text)],
    buttons.map(({ text: title, data, url }) =>
      data === undefined
        ? { type: 'Action.OpenUrl', title, url }
        : { type: 'Action.Submit', title, data: { callback: data } },
    ),
  );
}

/** Buttons below words of their own. */
export const choiceCard = (choices: readonly ChoiceButton[]): CardAttachment =>
  card(
    [],
    choices.map((choice) => ({ type: 'Action.Submit', title: buttonLabel(choice), data: { callback: choice.data } })),
  );

/** What a press on a button carries; undefined: it is none. */
export function pressIn(value: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const data = value?.['callback'];
  return typeof data === 'string' && data.length <= MAX_DATA ? data : undefined;
}
