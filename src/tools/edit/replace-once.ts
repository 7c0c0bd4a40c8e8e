/** Finds the one passage meant and replaces it in the original text. Pure. */
import { closestRegion } from '../../sdk/files.ts';
import { occurrences } from './occurrences.ts';
import { exact, forgiving, type Reading } from './readings.ts';

export type Replaced =
  /**
   * `start`, `end`: what was replaced in the old text; `inserted`: what stands there now. `loose`: not word for word.
   */
  | {
      readonly ok: true;
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly inserted: string;
      readonly loose: boolean;
    }
  | { readonly ok: false; readonly error: string };

/** Reading forgivingly costs time for every character; long texts are matched word for word only. */
const FORGIVING_CHARS = 64 * 1024;

export function replaceOnce(text: string, oldText: string, newText: string): Replaced {
  if (oldText === '')
    return { ok: false, error: 'oldText is empty. Name the passage to replace, or use `write` for a whole file.' };
  if (oldText === newText) return { ok: false, error: 'oldText and newText are the same; nothing would change.' };
  for (const { reading, wanted, loose } of attempts(text, oldText)) {
    const places = occurrences(reading.text, wanted);
    if (places.length > 1)
      return {
        ok: false,
        error: tooMany(
          text,
          places.map((at) => reading.at(at)),
        ),
      };
    if (places.length === 1) return spliced(text, reading, { from: places[0]!, length: wanted.length, newText, loose });
  }
  return { ok: false, error: `oldText was not found.${closestRegion(text, oldText)}` };
}

interface Attempt {
  readonly reading: Reading;
  readonly wanted: string;
  readonly loose: boolean;
}

/** From word for word to forgiving; models write plain line endings whatever the file has. */
function* attempts(text: string, oldText: string): Generator<Attempt> {
  const plain = oldText.replaceAll('\r\n', '\n');
  yield { reading: exact(text), wanted: plain, loose: false };
  if (text.includes('\r\n')) yield { reading: exact(text), wanted: plain.replaceAll('\n', '\r\n'), loose: false };
  if (text.length > FORGIVING_CHARS) return;
  const wanted = forgiving(oldText, { whole: false }).text;
  if (wanted.trim()) yield { reading: forgiving(text, { whole: true }), wanted, loose: true };
}

function spliced(
  text: string,
  reading: Reading,
  { from, length, newText, loose }: { from: number; length: number; newText: string; loose: boolean },
): Replaced {
  const start = reading.at(from);
  const end = reading.endAt(from + length);
  const inserted = withLineEndings(newText, text);
  return { ok: true, text: text.slice(0, start) + inserted + text.slice(end), start, end, inserted, loose };
}

/** New lines end as most lines of the file do. */
function withLineEndings(newText: string, text: string): string {
  const windows = text.split('\r\n').length - 1;
  const unix = text.split('\n').length - 1 - windows;
  const plain = newText.replaceAll('\r\n', '\n');
  return windows > unix ? plain.replaceAll('\n', '\r\n') : plain;
}

function tooMany(text: string, places: readonly number[]): string {
  const lines = places.map((at) => text.slice(0, at).split('\n').length);
  return (
    `oldText occurs ${places.length === 20 ? '20 or more' : places.length} times (lines ${lines.join(', ')}). ` +
    'Add lines before or after it until it is unique.'
  );
}
