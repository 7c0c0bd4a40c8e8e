/** Describes common cron expressions in words; unusual ones are shown as they are. */
import { fieldsOf } from './cron-slots.ts';
import { MONTHS, monthOf, WEEKDAYS, weekdayOf } from './spoken.ts';

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

/** `every weekday at 07:00`; undefined: only the expression itself says it. */
export function expressionInWords(expr: string): string | undefined {
  const fields = fieldsOf(NICKNAMES[expr.trim()] ?? expr);
  const [second, minute, hour, day, month, weekday] = fields.length === 5 ? ['0', ...fields] : fields;
  if (fields.length < 5 || fields.length > 6 || second === undefined || minute === undefined) return undefined;
  const days = dayWords(day!, month!, weekday!);
  if (days === undefined) return undefined;
  const period = second === '0' ? periodWords(minute, hour!, days !== 'every day') : undefined;
  if (period !== undefined) return `${period}${withinDays(days)}`;
  const times = timeWords(second, minute, hour!);
  return times === undefined ? undefined : `${days} at ${times}`;
}

/** The days of a period that has said `every` already: ` on weekdays`, ` in December`. */
const withinDays = (days: string): string =>
  days === 'every day'
    ? ''
    : ` ${days
        .replace(/^every day in/, 'in')
        .replace(/^every weekday/, 'on weekdays')
        .replace(/^every /, 'on ')}`;

/**
 * `every 15 minutes between 09:00 and 17:00`, `every hour at minute 5`. Without hours or days (`limited`) a period
 * would read back as one that follows no clock.
 */
function periodWords(minute: string, hour: string, limited: boolean): string | undefined {
  const hours = runOf(hour);
  const between = (last: number): string => (hours ? ` between ${clock(hours[0])} and ${clock(last % 24)}` : '');
  const every = stepOf(minute, 60);
  if (every !== undefined) {
    const words = every === 1 ? 'every minute' : `every ${every} minutes`;
    return hours || (limited && hour === '*') ? `${words}${hours ? between(hours[1] + 1) : ''}` : undefined;
  }
  if (hour === '*')
    return minute === '0'
      ? 'every hour on the hour'
      : isNumber(minute, 59)
        ? `every hour at minute ${Number(minute)}`
        : undefined;
  if (minute !== '0') return undefined;
  const hourly = hour.startsWith('*') ? stepOf(hour, 24) : undefined;
  if (hourly !== undefined) return limited ? `every ${hourly} hours` : undefined;
  return hours && `every hour${between(hours[1])}`;
}

/** `*` and steps that divide the whole. */
function stepOf(field: string, whole: number): number | undefined {
  const step = field === '*' ? 1 : Number(/^\*\/([2-9]|[1-3]\d)$/.exec(field)?.[1] ?? Number.NaN);
  return whole % step === 0 ? step : undefined;
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** `9-17`. */
function runOf(field: string): readonly [number, number] | undefined {
  const [from, to] = /^(\d{1,2})-(\d{1,2})$/.exec(field)?.slice(1).map(Number) ?? [];
  return from !== undefined && to !== undefined && to < 24 && from < to ? [from, to] : undefined;
}

/** `09:00 and 18:00`. */
function timeWords(second: string, minute: string, hour: string): string | undefined {
  const [seconds, minutes, hours] = [numbersOf(second, 59), numbersOf(minute, 59), numbersOf(hour, 23)];
  if (!seconds || !minutes || !hours || seconds.length * minutes.length * hours.length > 6) return undefined;
  const times = hours.flatMap((h) =>
    minutes.flatMap((m) =>
      seconds.map((s) => [h, m, ...(second === '0' ? [] : [s])].map((part) => String(part).padStart(2, '0')).join(':')),
    ),
  );
  return and(times);
}

function dayWords(day: string, month: string, weekday: string): string | undefined {
  const months =
    month === '*'
      ? []
      : namesOf(
          month,
          12,
          (word) => monthOf(word),
          (number) => title(MONTHS[number - 1]!),
        );
  if (!months) return undefined;
  const every = weekday === '*' || weekday === '?';
  const always = day === '*' || day === '?';
  if (!every && !always) return undefined;
  if (!always) return monthDayWords(day, months);
  const within = months.length > 0 ? ` in ${and(months)}` : '';
  if (every) return `every day${within}`;
  const nth = nthWords(weekday, months);
  if (nth) return nth;
  const days = namesOf(weekday, 7, weekdayOf, (number) => title(WEEKDAYS[number % 7]!));
  if (!days) return undefined;
  return `every ${days.join() === 'Monday,Tuesday,Wednesday,Thursday,Friday' ? 'weekday' : and(days)}${within}`;
}

/** `on the 1st and 15th of every month`, `on 3 March every year`. */
function monthDayWords(day: string, months: readonly string[]): string | undefined {
  const named = { L: 'last day', LW: 'last weekday', '1W': 'first weekday' }[day];
  const numbers = named === undefined ? numbersOf(day, 31)?.filter((number) => number > 0) : undefined;
  if (named === undefined && !numbers?.length) return undefined;
  if (numbers?.length === 1 && months.length === 1) return `on ${numbers[0]} ${months[0]} every year`;
  return `on the ${named ?? and(numbers!.map(ordinal))} of ${ofMonths(months)}`;
}

/** `on the last Friday of every month`. */
function nthWords(weekday: string, months: readonly string[]): string | undefined {
  const parts = weekday.split(',').map((part) => /^(\d|[a-z]{3})(?:#([1-5])|#?(L))$/i.exec(part));
  const day = parts[0]?.[1];
  if (day === undefined || parts.some((part) => part?.[1] !== day)) return undefined;
  const number = /\d/.test(day) ? Number(day) : weekdayOf(day.toLowerCase());
  if (number < 0 || number > 7) return undefined;
  const nth = parts.map((part) => (part![2] === undefined ? 'last' : ORDINALS[Number(part![2]) - 1]!));
  return `on the ${and(nth)} ${title(WEEKDAYS[number % 7]!)} of ${ofMonths(months)}`;
}

const ofMonths = (months: readonly string[]): string =>
  months.length > 0 ? `${and(months)} every year` : 'every month';

/** Monday first and Sunday last, as people count; undefined: not a list of names or numbers. */
function namesOf(
  field: string,
  max: number,
  numberOf: (word: string) => number,
  name: (number: number) => string,
): string[] | undefined {
  const numeric = field.toLowerCase().replace(/[a-z]+/g, (word) => (word.length === 3 ? String(numberOf(word)) : '?'));
  const numbers = numbersOf(numeric, max);
  if (!numbers || (max === 12 && numbers.includes(0))) return undefined;
  return [...new Set(numbers.map((number) => (max === 7 ? number || 7 : number)))].sort((a, b) => a - b).map(name);
}

/** `1,15,20-22`; undefined: something else. */
function numbersOf(field: string, max: number): number[] | undefined {
  if (!/^\d{1,2}(-\d{1,2})?(,\d{1,2}(-\d{1,2})?)*$/.test(field)) return undefined;
  const numbers = field.split(',').flatMap((part) => {
    const [from, to = from] = part.split('-').map(Number);
    return from! <= to! ? Array.from({ length: to! - from! + 1 }, (_, index) => from! + index) : [max + 1];
  });
  return numbers.some((number) => number > max) ? undefined : numbers;
}

const isNumber = (field: string, max: number): boolean => /^\d{1,2}$/.test(field) && Number(field) <= max;
const and = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const title = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

function ordinal(number: number): string {
  const suffix = number % 100 >= 11 && number % 100 <= 13 ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[number % 10] ?? 'th');
  return `${number}${suffix}`;
}
