/**
 * Parses `[[reply_to_current]]`, `[[reply_to:<id>]]` and `[[audio_as_voice]]`, complete or truncated at the start of a
 * line.
 */

/** What a tag says. */
export type TagMeaning = { readonly replyTo: 'current' | { readonly id: string } } | { readonly voice: true };

/** A tag of the text, `length` characters long. */
export interface Tag {
  readonly length: number;
  /** Undefined: it is broken, so it goes without saying anything. */
  readonly meaning: TagMeaning | undefined;
}

/** Code points of an id that are kept. */
const MAX_ID = 256;
/** Characters of a tag, its brackets included; more is no tag. */
const MAX_TAG = 1200;
const WHOLE = /^\[\[[ \t]*(?:(reply_to_current)|(audio_as_voice)|reply_to[ \t]*:([^\]\n]+))[ \t]*\]\]/i;
const BROKEN =
  /^\[\[[ \t]*(?:reply_to_current|audio_as_voice|reply_to[ \t]*:[ \t]*[^\s[\]]+)(?:[ \t]*\](?!\])[ \t]*|[ \t]+)/i;
/** The beginning of something that may become one, up to the end of the text. */
const BEGUN = /^\[(?:\[[^\]\n]*\]?)?$/;

/** The tag that begins at `at`; `beginsLine`: nothing but blanks stands before it on its line. */
export function tagAt(text: string, at: number, beginsLine: boolean): Tag | undefined {
  const rest = text.slice(at, at + MAX_TAG);
  const whole = WHOLE.exec(rest);
  if (whole) {
    const meaning = meaningOf(whole);
    return meaning && { length: whole[0].length, meaning };
  }
  const broken = beginsLine ? BROKEN.exec(rest) : null;
  return broken ? { length: broken[0].length, meaning: undefined } : undefined;
}

/** Whether the text from `at` on is the beginning of what may become a tag. */
export const mayBecomeTag = (text: string, at: number): boolean =>
  text.length - at <= MAX_TAG && BEGUN.test(text.slice(at));

function meaningOf([, current, voice, written = '']: RegExpExecArray): TagMeaning | undefined {
  if (current) return { replyTo: 'current' };
  if (voice) return { voice: true };
  const id = cleanId(written);
  return id === '' ? undefined : { replyTo: { id } };
}

/** Control characters and brackets are no part of an id. */
const cleanId = (written: string): string =>
  Array.from(written.replace(/[\p{Cc}[\]]/gu, '').trim())
    .slice(0, MAX_ID)
    .join('');
