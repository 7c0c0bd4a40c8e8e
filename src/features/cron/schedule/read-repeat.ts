/**
 * Parses repeating times in words: `every weekday at 7`, `every last friday of the month at 17:00`, `every 15 minutes
 * between 9 and 17`. A text is a sequence of clauses; unparsed text is an error.
 */
import type { CronSchedule } from '../cron-job.ts';
import { buildRepeat, type RepeatContext } from './build-repeat.ts';
import {
  checkHalves,
  clockTimeOf,
  DAY_PART,
  HOUR,
  inDayPart,
  TIME,
  withPlainTimes,
  type DayPart,
} from './clock-time.ts';
import { durationAhead } from './duration.ts';
import type { Repeat, Unit } from './repeat.ts';
import { END, MONTH, monthOf, shown, unreadable, WEEKDAY, weekdayOf } from './spoken.ts';

/** What the clauses of a text have said so far. */
type Draft = { -readonly [K in keyof Repeat]: Repeat[K] };

const ORDINALS: Readonly<Record<string, number>> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5 };
const ORDINAL = '(?:first|second|third|fourth|fifth|[1-5](?:st|nd|rd|th)|last)';
const NUMBERED = '(?:[12]?\\d|3[01])(?:st|nd|rd|th)';
const PLURAL = '(?:sun|mon|tues|wednes|thurs|fri|satur)days';
const EVERY = '(?:every|each)';

/** The text has a word in it that makes it come again. Small letters. */
export const isRepeat = (text: string): boolean =>
  new RegExp(
    '(?<=^| ' +
      `)(?:${EVERY}|hourly|daily|weekly|monthly|quarterly|yearly|annually|weekdays|weekends|workdays|${PLURAL})${END}`,
  ).test(text);

/** `said` is in small letters and names no zone. Rejects with `invalid`. */
export async function readRepeat(said: string, context: RepeatContext): Promise<CronSchedule> {
  const repeat: Draft = { said };
  let rest = withPlainTimes(
    said
      .replace(/ ?[,&] ?/g, ' and ')
      .replace(/\b(?:and )+/g, 'and ')
      .replace(/^repeat /, ''),
  );
  while (rest !== '') {
    const before = rest;
    rest = clause(rest, repeat).replace(/^ /, '');
    if (rest === before) throw unreadable(said, unclear(rest.replaceAll('=', ''), said));
  }
  return buildRepeat(withDayPart(repeat), context);
}

/** To say of the whole text that it is not clear in itself would help nobody. */
function unclear(rest: string, said: string): string {
  if (/^(?:every|each) \d+$/.test(rest)) return `minutes, hours or days? Say "${rest} minutes"`;
  return rest === said ? 'it does not say when, or how often' : `"${shown(rest)}" is not clear in it`;
}

function withDayPart(repeat: Repeat): Repeat {
  if (!repeat.times) return repeat;
  checkHalves(repeat.times, repeat.said);
  return { ...repeat, times: repeat.times.map((time) => inDayPart(time, repeat.dayPart, repeat.said)) };
}

/** The text without the clause it begins with, which is noted down; the same text when it begins with none. */
function clause(text: string, repeat: Draft): string {
  for (const [pattern, note] of CLAUSES) {
    const match = pattern.exec(text);
    if (match && note(match, repeat) !== false) return text.slice(match[0].length);
  }
  return everyDuration(text, repeat);
}

type Note = (match: RegExpExecArray, repeat: Draft) => false | void;

const begins = (source: string): RegExp => new RegExp(`^(?:${source})${END}`);
/** `X`, `X and Y`, `X and Y and Z`. */
const list = (item: string): string => `${item}(?: and (?:the |on |at )?${item})*`;
const items = (text: string): string[] => text.split(' and ').map((item) => item.replace(/^(the|on|at) /, ''));

const DATE = `(?:${MONTH} (?:the )?\\d{1,2}(?:st|nd|rd|th)?|(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH})`;
const NTH = `(?:${list(ORDINAL)}) (?:${WEEKDAY}|weekday|workday|day)`;
const HEAD = `(?:${EVERY} |on (?:the )?|the )?`;

/** From the most particular to the least: the first that fits is taken. */
const CLAUSES: readonly (readonly [RegExp, Note])[] = [
  [begins('and'), () => undefined],
  [begins(`${EVERY} hour on the hour|hourly(?: on the hour)?`), (_, repeat) => onMinute(repeat, 0)],
  [
    begins(`(?:${EVERY} hour|hourly) at (?:minute |:)(\\d{1,2})`),
    ([, minute], repeat) => onMinute(repeat, Number(minute)),
  ],
  [
    begins(`(?:${EVERY} hour|hourly) at (\\d{1,2}) (?:minutes )?past`),
    ([, minute], repeat) => onMinute(repeat, Number(minute)),
  ],
  [
    begins(`${EVERY} (?:other|second) (minute|hour|day|week|month|year)`),
    ([, unit], repeat) => period(repeat, unit as Unit, 2),
  ],
  [
    begins(`${EVERY} (third|fourth|fifth|\\d{1,2}(?:st|nd|rd|th)) day(?! (?:of|in))`),
    ([, count], repeat) => period(repeat, 'day', ORDINALS[count!] ?? Number.parseInt(count!, 10)),
  ],
  [
    begins(`${EVERY} other (${WEEKDAY})`),
    ([, day], repeat) => {
      period(repeat, 'week', 2);
      once(repeat, 'weekdays', [weekdayOf(day!)]);
    },
  ],
  [
    begins(`${HEAD}(${NTH})( (?:of|in) (?:the|${EVERY}|a) month)?`),
    ([, nth, ofMonth], repeat) => nthDays(nth!, repeat, ofMonth !== undefined),
  ],
  [begins(`${HEAD}(${DATE})(?! and ${MONTH}${END})(?: ${EVERY} year)?`), ([, date], repeat) => dateOf(date!, repeat)],
  [
    begins(`${HEAD}(${list(NUMBERED)})(?: (?:day )?(?:of|in) (?:the|${EVERY}|a) month)?`),
    ([, days], repeat) =>
      once(
        repeat,
        'monthDays',
        items(days!).map((day) => String(Number.parseInt(day, 10))),
      ),
  ],
  [begins(`(?:on )?(?:${EVERY} (?:single )?day|daily)`), (_, repeat) => period(repeat, 'day', 1)],
  [
    begins(
      `(?:on )?(?:${EVERY} (?:weekday|workday|working day|business day)|weekdays|workdays|working days|business days)`,
    ),
    (_, repeat) => once(repeat, 'weekdays', [1, 2, 3, 4, 5]),
  ],
  [begins(`(?:on |at )?(?:${EVERY} weekend|weekends)`), (_, repeat) => once(repeat, 'weekdays', [0, 6])],
  [
    begins(`(?:${EVERY} |on |from )*(${WEEKDAY})(?: ?- ?| to | through | until | till )(${WEEKDAY})`),
    ([, from, to], repeat) => once(repeat, 'weekdays', daysFrom(weekdayOf(from!), weekdayOf(to!))),
  ],
  [
    begins(`(?:${EVERY} |on )*(${list(WEEKDAY)})`),
    ([, days], repeat) => once(repeat, 'weekdays', items(days!).map(weekdayOf)),
  ],
  [begins(`${EVERY} quarter(?! of| hour)|quarterly`), (_, repeat) => period(repeat, 'month', 3)],
  [begins(`(?:of |in )?${EVERY} (week|month|year)`), ([, unit], repeat) => period(repeat, unit as Unit, 1)],
  [begins('weekly'), (_, repeat) => period(repeat, 'week', 1)],
  [begins('monthly'), (_, repeat) => period(repeat, 'month', 1)],
  [begins('yearly|annually'), (_, repeat) => period(repeat, 'year', 1)],
  [
    begins(`(?:of |in |${EVERY} )(${list(`(?:in )?${MONTH}`)})`),
    ([, months], repeat) => once(repeat, 'months', items(months!.replaceAll('in ', '')).map(monthOf)),
  ],
  [
    begins(`(?:between|from) (${HOUR}) (?:and|to|until|till) (${HOUR})`),
    ([, from, to], repeat) =>
      once(repeat, 'between', [clockTimeOf(from!, repeat.said), clockTimeOf(to!, repeat.said)] as const),
  ],
  [begins(`at (${list(HOUR)})`), ([, times], repeat) => clockTimes(times!, repeat)],
  [begins(`(${list(TIME)})`), ([, times], repeat) => clockTimes(times!, repeat)],
  [
    begins(`(?:in the |at |${EVERY} )?(${DAY_PART})`),
    ([match, part], repeat) => {
      if (/^(every|each)/.test(match)) period(repeat, 'day', 1);
      once(repeat, 'dayPart', part as DayPart);
    },
  ],
  [
    /^(?:starting|beginning) (?:from |at |on )?(.+)$/,
    ([, instant], repeat) => once(repeat, 'starting', instant!.replaceAll('=', '')),
  ],
];

/** `every 20 minutes`, `every 1h30m`, `every hour`. */
function everyDuration(text: string, repeat: Draft): string {
  const every = begins(EVERY).exec(text);
  if (!every) return text;
  const said = text.slice(every[0].length + 1);
  const ahead = durationAhead(
    /^(second|minute|hour|half|quarter)/.test(said)
      ? said
          .replace(/^(?!half)/, 'a ')
          .replace(/^half hour/, 'half an hour')
          .replace(/^a quarter hour/, 'a quarter of an hour')
      : said,
  );
  if (!ahead) return text;
  const { ms, days, months } = ahead.duration;
  const count = (unitMs: number): number => ms / unitMs;
  const inWeeks = /(?:^|[\d ])w(?:k|eek)?s?(?: |$)/.test(said.slice(0, said.length - ahead.rest.length));
  if (months > 0 && ms + days === 0)
    note(months % 12 === 0 ? 'year' : 'month', months % 12 === 0 ? months / 12 : months);
  else if (days > 0 && ms + months === 0) note(inWeeks ? 'week' : 'day', inWeeks ? days / 7 : days);
  else if (ms > 0 && Number.isInteger(count(3_600_000))) note('hour', count(3_600_000));
  else if (ms > 0 && Number.isInteger(count(60_000))) note('minute', count(60_000));
  else note('second', count(1000) || days + months);
  return ahead.rest;

  function note(unit: Unit, amount: number): void {
    once(repeat, 'period', { unit, count: amount, duration: ahead!.duration });
  }
}

/** Each thing is said once: a second weekday clause would be a second schedule. */
function once<K extends keyof Repeat>(repeat: Draft, key: K, value: NonNullable<Repeat[K]>): void {
  if (repeat[key] !== undefined) throw unreadable(repeat.said, 'it reads like two schedules; make one job of each');
  repeat[key] = value;
}

function period(repeat: Draft, unit: Unit, count: number): void {
  // `on the 1st of every month every year` says nothing new.
  if (repeat.period && repeat.period.count === 1 && count === 1 && unit !== 'day' && repeat.period.unit !== 'day')
    return;
  const ms = { second: 1000, minute: 60_000, hour: 3_600_000, day: 0, week: 0, month: 0, year: 0 }[unit] * count;
  const days = { day: 1, week: 7 }[unit as string] ?? 0;
  once(repeat, 'period', {
    unit,
    count,
    duration: { ms, days: days * count, months: ({ month: 1, year: 12 }[unit as string] ?? 0) * count },
  });
}

function onMinute(repeat: Draft, minute: number): void {
  if (minute > 59) throw unreadable(repeat.said, `an hour has no minute ${minute}`);
  period(repeat, 'hour', 1);
  once(repeat, 'minute', minute);
}

function clockTimes(written: string, repeat: Draft): void {
  once(
    repeat,
    'times',
    items(written).map((time) => clockTimeOf(time, repeat.said)),
  );
}

/** `the first and third monday`, `last weekday`, `first day`. */
function nthDays(written: string, repeat: Draft, ofMonth: boolean): false | void {
  const words = written.split(' ');
  const day = words.at(-1)!;
  const nth = items(words.slice(0, -1).join(' ')).map((word) =>
    word === 'last' ? ('L' as const) : (ORDINALS[word] ?? Number.parseInt(word, 10)),
  );
  if (!ofMonth && ['day', 'weekday', 'workday'].includes(day)) repeat.dayOfPeriod = true;
  if (day === 'day') return once(repeat, 'monthDays', nth.map(String));
  if (day !== 'weekday' && day !== 'workday') {
    if (ofMonth) period(repeat, 'month', 1);
    return once(
      repeat,
      'nth',
      nth.map((each) => (each === 'L' ? `${weekdayOf(day)}L` : `${weekdayOf(day)}#${each}`)),
    );
  }
  if (nth.some((each) => each !== 'L' && each !== 1))
    throw unreadable(repeat.said, 'of the weekdays of a month only the first and the last can be named');
  return once(
    repeat,
    'monthDays',
    nth.map((each) => (each === 'L' ? 'LW' : '1W')),
  );
}

function dateOf(written: string, repeat: Draft): void {
  const day = Number(/\d+/.exec(written)![0]);
  if (day < 1 || day > 31) throw unreadable(repeat.said, `no month has a day ${day}`);
  once(repeat, 'months', [monthOf(new RegExp(MONTH).exec(written)![0])]);
  once(repeat, 'monthDays', [String(day)]);
}

const daysFrom = (from: number, to: number): number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, index) => (from + index) % 7);
