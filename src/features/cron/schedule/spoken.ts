/** The vocabulary of times: names of days and months, numbers, and normalization of a text before parsing. */
import { cut } from '../../../core/cut.ts';
import { AppError } from '../../../core/errors.ts';
import { inertLine } from '../../../core/inert-line.ts';

/** Longer ones are no times. It also bounds what a pattern can be made to do. */
const TEXT_CHARACTERS = 200;

/** Sunday is 0, as in cron. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** January is 1. */
export const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

/** Sources of patterns; the longer spelling stands first. */
export const WEEKDAY = '(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs|r)?|fri|sat(?:ur)?)(?:days?)?)';
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** The end of a word. */
export const END = '(?= |$)';

export const weekdayOf = (word: string): number => WEEKDAYS.findIndex((name) => name.startsWith(word.slice(0, 3)));
export const monthOf = (word: string): number => MONTHS.findIndex((name) => name.startsWith(word.slice(0, 3))) + 1;

const NUMBERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  'forty-five': 45,
  fifty: 50,
  sixty: 60,
  ninety: 90,
  half: 0.5,
  'half a': 0.5,
  'half an': 0.5,
};
export const NUMBER = `(?:\\d{1,9}(?:\\.\\d{1,3})?|half an?|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join('|')})`;
export const numberOf = (word: string): number => NUMBERS[word] ?? Number(word);

/**
 * One line in small letters with single spaces; commas and ampersands of a list become `and`. Throws `invalid` for what
 * is too long or empty.
 */
export function plainText(written: string): string {
  const text = written.normalize('NFKC').trim();
  if (text.length > TEXT_CHARACTERS)
    throw new AppError(
      'invalid',
      `A time can have at most ${TEXT_CHARACTERS} characters, but this text has ${text.length}. Use only the time, ` +
        'e.g. "tomorrow 9:00".',
    );
  if (text === '')
    throw new AppError('invalid', 'The time is empty. Use a time such as "tomorrow 9:00" or "every weekday at 7".');
  return text
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/\s+/g, ' ')
    .replace(/(?<![.!])[.!]+$/, '');
}

/** A text nobody should guess at: what was read, what is wrong with it, and how to write it. */
export const unreadable = (text: string, why: string): AppError =>
  new AppError(
    'invalid',
    `"${shown(text)}" is not a valid time: ${why}. Use a form such as "tomorrow 9:00", "in 20 minutes" or ` +
      '"every weekday at 7".',
  );

/** Text from outside inside a sentence of ours. */
export const shown = (text: string): string => inertLine(cut(text, 80));
