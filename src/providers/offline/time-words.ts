/**
 * Tells the words of a time from what they are said about, whichever comes first. It finds them; what they mean, the
 * scheduler reads. Pure.
 */

export interface Timed {
  readonly when: string;
  readonly what: string;
}

const NUMBER = String.raw`(?:\d{1,4}|half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty-five|sixty|ninety)`;
const UNIT = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?)';
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|march|april|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const NTH = String.raw`\d{1,2}(?:st|nd|rd|th)`;
const SPAN = String.raw`${NUMBER}\s?${UNIT}|\d{1,4}[smhdw]|\d{1,3}h\d{1,2}m`;
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?|\d{1,2} o'clock|noon|midday|midnight|(?:half|quarter) (?:past|to) \d{1,2}`;
const DATE = String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)?|(?:the )?(?:${NTH}|\d{1,2})(?: of)? ${MONTH}(?:,? \d{4})?|${MONTH} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|the ${NTH}(?: of (?:the|every|each) month)?`;

/** What a time is made of; each stands for itself, so that a sequence of them can be read in one way only. */
const PIECE = [
  String.raw`(?:every|each) (?:last ${WEEKDAY} of (?:the|every|each) month|(?:other |second )?(?:${SPAN}|second|minute|hour|day|weekday|week|weekend|month|year|morning|afternoon|evening|night|noon|midnight|${WEEKDAY}|${NTH}))`,
  'hourly|daily|weekly|monthly|yearly|on weekdays|weekdays|on weekends|weekends',
  String.raw`in (?:the (?:morning|afternoon|evening)|(?:${SPAN})(?:,? (?:and )?(?:${SPAN})){0,2})`,
  String.raw`(?:${SPAN}) from now`,
  String.raw`at (?:${CLOCK}|\d{1,2}|night)`,
  'the day after tomorrow|tomorrow (?:morning|afternoon|evening|night)|this ' +
    '(?:morning|afternoon|evening)|today|tonight|tomorrow',
  String.raw`next (?:week|month|year|${WEEKDAY})|this ${WEEKDAY}|on ${WEEKDAY}|on (?:${DATE})`,
  CLOCK,
  DATE,
  WEEKDAY,
  String.raw`\(?(?:UTC|[A-Z][a-z]{2,12}/[A-Z][A-Za-z_]{2,20})\)?`,
].join('|');
const TIME = String.raw`(?:${PIECE})(?:,? (?:and )?(?:(?<=and )\d{1,2}|${PIECE})){0,7}`;

const AHEAD = new RegExp(`^(?:${TIME})(?![\\w-]|:\\d)`, 'i');
const BEHIND = new RegExp(`(?:^|[ ,])(${TIME})$`, 'i');
const CLOCK_BEHIND = new RegExp(`[ ,](at (?:${CLOCK}|\\d{1,2}))$`, 'i');

const MAX_CHARS = 500;

/** Undefined: there is no time in it, or nothing besides. `what` keeps its lines. */
export function splitTime(said: string): Timed | undefined {
  const text = said.trim();
  if (text.length > MAX_CHARS) return undefined;
  return timeFirst(text) ?? timeLast(text);
}

/** `in 20 minutes to stretch`, `every day at 9: say good morning`, `tomorrow to call mum at 9`. */
function timeFirst(text: string): Timed | undefined {
  const when = AHEAD.exec(spaced(text))?.[0];
  if (when === undefined) return undefined;
  const what = bare(behind(text, when));
  const clock = /\d|noon|midday|midnight/i.test(when) ? undefined : CLOCK_BEHIND.exec(spaced(what))?.[1];
  const said = clock === undefined ? what : ended(what.slice(0, what.length - clock.length));
  return said === '' ? undefined : { when: clock === undefined ? when : `${when} ${clock}`, what: said };
}

/** `to call mum tomorrow at 9`. */
function timeLast(text: string): Timed | undefined {
  const plain = spaced(text).replace(/(?<![.!])[.!]+$/, '');
  const when = BEHIND.exec(plain)?.[1];
  const what = when === undefined ? '' : bare(plain.slice(0, plain.length - when.length));
  return when === undefined || what === '' ? undefined : { when, what: ended(what) };
}

/** Blanks count as one; lines behind the first stay what they are. */
const spaced = (text: string): string => text.replace(/[^\S\n]+/g, ' ').replace(/[\u2018\u2019]/g, "'");
const behind = (text: string, when: string): string => spaced(text).slice(when.length);
const ended = (text: string): string => text.replace(/(?<![\s,])[\s,]+$/, '');
/** Without the word that led to it. */
const bare = (text: string): string =>
  ended(
    text
      .replace(/^[\s,:]+/, '')
      .replace(/^(?:to|that|about|of)\s+/i, '')
      .trim(),
  );
