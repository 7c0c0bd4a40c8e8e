/** Converts output bytes to visible text: whole characters, no control sequences, progress bars in their last state. */
import { createBinaryWatch } from './binary-watch.ts';
import { createLine, MAX_LINE } from './line.ts';
import { createSequenceReader, type CsiSequence } from './sequences.ts';

export interface Cleaner {
  /** Bytes as they come, cut anywhere. Answers the lines they completed. */
  push(bytes: Uint8Array): string;
  /** The line being written as it stands; a prompt waiting for input is one. Changes nothing. */
  line(): string;
  /** Gives out the line being written now; what follows begins a new one. A sequence or character cut in half stays. */
  release(): string;
  /** The rest; half a character becomes U+FFFD. */
  end(): string;
}

const NUL = 0,
  LF = 0x0a,
  CR = 0x0d,
  TAB = 0x09,
  BACKSPACE = 0x08,
  BEL = 0x07,
  REPLACEMENT = 0xfffd;
/** Invisible characters that format or reorder text (bidi controls, tags, zero-width ones). */
const FORMAT = /\p{Cf}/gu;
/** The next character that is more than text. */
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffd]/g;
const BREAK = /\n/g;
/** Sequences that go to another line; what they write there becomes a line of its own. */
const ELSEWHERE = 'ABEFHdf';

/** Time and memory are linear in what is pushed, whatever it is; how it is cut into chunks never shows. */
export function createCleaner(): Cleaner {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const sequences = createSequenceReader();
  const screen = createScreen();
  /** Whole lines of plain text then need no second look. */
  const isFresh = (): boolean => screen.isFresh() && !sequences.inside();

  function take(decoded: string): string {
    const text = decoded.replace(FORMAT, '');
    const special = finder(text, SPECIAL);
    const lineBreak = finder(text, BREAK);
    for (let at = 0; at < text.length; ) {
      if (isFresh() && lineBreak(at) < special(at)) {
        const end = text.lastIndexOf('\n', special(at) - 1) + 1;
        screen.give(text.slice(at, end));
        at = end;
        continue;
      }
      const code = text.charCodeAt(at++);
      const found = sequences.take(code);
      if (found === 'text') screen.character(code);
      else if (found !== 'part') screen.sequence(found);
    }
    return screen.flush();
  }

  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    line: screen.line,
    release: screen.release,
    end: () => take(decoder.decode()) + screen.release(),
  };
}

/** The line being written, and what has been given out of those before it. */
function createScreen() {
  const watch = createBinaryWatch();
  const line = createLine();
  let signs = 0;
  let seen = 0;
  /** What was given out last ended within a line. */
  let open = false;
  /** What is to be given out. */
  let out = '';

  const give = (text: string): void => {
    out += text;
    if (text !== '') open = !text.endsWith('\n');
  };
  /** What was given out since the last call. */
  const flush = (): string => {
    const all = out;
    out = '';
    return all;
  };

  /** The line goes out, with a line break when it is complete. */
  const settle = (end: '\n' | ''): void => {
    const shown = watch.shown(line.text(), signs, seen);
    if (shown !== undefined) give(watch.binary() ? `${open ? '\n' : ''}${shown}\n` : shown + end);
    line.clear();
    signs = 0;
    seen = 0;
  };

  const write = (code: number): void => {
    const high = code >= 0xd800 && code < 0xdc00;
    if (!line.fits(high ? 2 : 1)) settle('');
    line.write(code);
  };

  /** Most of them are not written, so a long run has to end the line too. */
  const sign = (): void => {
    if (++signs === MAX_LINE) settle('');
  };

  return {
    give,
    flush,
    isFresh: (): boolean => seen === 0 && line.empty() && !watch.binary(),
    line: (): string => (watch.binary() || signs > 0 ? '' : line.text()),
    character(code: number): void {
      seen++;
      if (code === LF) settle('\n');
      else if (code === CR) line.home();
      else if (code === BACKSPACE) line.back();
      else if (code === TAB || code === NUL || (code >= 0x20 && code < 0x7f) || code > 0x9f) write(code);
      if (code === REPLACEMENT || isOdd(code)) sign();
    },
    sequence(found: CsiSequence): void {
      if (!found.marked && ELSEWHERE.includes(found.final)) return line.empty() ? undefined : settle('\n');
      line.apply(found);
    },
    release(): string {
      if (seen > 0 || !line.empty()) settle('');
      return flush();
    },
  };
}

/** Controls that are neither layout nor a bell; those of sequences never come here. */
const isOdd = (code: number): boolean =>
  (code < 0x20 && (code < BEL || code > CR || code === 0x0b || code === 0x0c)) || (code >= 0x7f && code <= 0x9f);

/** Where the pattern is found next; asked with rising positions it looks at each character once. */
function finder(text: string, pattern: RegExp): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    pattern.lastIndex = from;
    found = pattern.exec(text)?.index ?? text.length;
    return found;
  };
}

/** All of it at once. */
export function cleaned(bytes: Uint8Array): string {
  const cleaner = createCleaner();
  return cleaner.push(bytes) + cleaner.end();
}
