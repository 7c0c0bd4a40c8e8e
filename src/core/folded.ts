/** Finds text in disguise: full-width letters, invisible characters, look-alike brackets, unusual line breaks. Pure. */
import { characterStart } from './cut.ts';

const BRACKETS: Readonly<Record<string, string>> = {
  '‹': '<',
  '\u2329': '<',
  '\u3008': '<',
  '\u27e8': '<',
  '❮': '<',
  '❬': '<',
  '˂': '<',
  ᐸ: '<',
  '《': '<<',
  '«': '<<',
  '≪': '<<',
  '›': '>',
  '\u232a': '>',
  '\u3009': '>',
  '\u27e9': '>',
  '❯': '>',
  '❭': '>',
  '˃': '>',
  ᐳ: '>',
  '》': '>>',
  '»': '>>',
  '≫': '>>',
  '【': '[',
  '〔': '[',
  '❲': '[',
  '⦋': '[',
  '⟦': '[[',
  '〚': '[[',
  '】': ']',
  '〕': ']',
  '❳': ']',
  '⦌': ']',
  '⟧': ']]',
  '〛': ']]',
  '⁄': '/',
  '∕': '/',
  '⧸': '/',
  '∶': ':',
  '꞉': ':',
  '։': ':',
  '︰': ':',
  '\r': '\n',
  '\v': '\n',
  '\f': '\n',
  '\u0085': '\n',
  '\u2028': '\n',
  '\u2029': '\n',
};
/** Cyrillic and Greek letters that look like Latin ones. */
const TWINS = new Map(
  Array.from('АВЕІЈКМНОРСТУХаеіјкорсухѕԁΑΒΕΙΚΜΝΟΡΤΥΧο', (twin, index) => [
    twin,
    'ABEIJKMHOPCTYXaeijkopcyxsdABEIKMNOPTYXo'[index]!,
  ]),
);

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
/** All characters that may look like others, and few besides; most characters of most scripts are skipped. */
const DISGUISED = new RegExp(
  `[[\\p{Changes_When_NFKC_Casefolded}\\p{Cf}\r\v\f${[...Object.keys(BRACKETS), ...TWINS.keys()].join('')}]--[A-Z]]`,
  'gv',
);

/** A pattern of look-alike letters and what stands in place of what it finds. */
export interface FoldedRule {
  /** With the `g` flag; matched against the folded text. */
  readonly pattern: RegExp;
  replacement(match: string): string;
}

/**
 * Replaces what the rules match in the folded text, whichever begins first; everything else stays as it was written.
 */
export function replaceFolded(text: string, rules: readonly FoldedRule[]): string {
  const { folded, place } = fold(text);
  const matches = rules
    .flatMap(({ pattern, replacement }) =>
      Array.from(folded.matchAll(pattern), (match) => ({ from: match.index, text: match[0], replacement })),
    )
    .sort((a, b) => a.from - b.from);
  let result = '';
  let done = 0;
  for (const match of matches) {
    const from = place(match.from);
    if (from < done) continue;
    result += text.slice(done, from) + match.replacement(match.text);
    done = place(match.from + match.text.length);
  }
  return result + text.slice(done);
}

interface Folded {
  readonly folded: string;
  /** Where the character behind `folded[index]` begins in the original; `folded.length` gives the end. */
  place(index: number): number;
}

/** A character that became longer or shorter: where it begins and ends in the folded text and in the original. */
interface Shift {
  readonly from: number;
  readonly to: number;
  readonly originalFrom: number;
  readonly originalTo: number;
}

/** Nothing in it is disguised. The runtime takes 15 ms to make the machine for `DISGUISED`, at its first use. */
const PLAIN = /^[\t\n -~]*$/;

/** Each character is looked up once, because documents are long and alphabets are short. */
function fold(text: string): Folded {
  if (PLAIN.test(text)) return { folded: text, place: (index) => characterStart(text, index) };
  const known = new Map<string, string>();
  const shifts: Shift[] = [];
  let longer = 0;
  const folded = text.replace(DISGUISED, (char: string, at: number) => {
    let plain = known.get(char);
    if (plain === undefined) known.set(char, (plain = foldCharacter(char)));
    if (plain.length !== char.length) {
      shifts.push({
        from: at + longer,
        to: at + longer + plain.length,
        originalFrom: at,
        originalTo: at + char.length,
      });
      longer += plain.length - char.length;
    }
    return plain;
  });
  return { folded, place: (index) => characterStart(text, placeAmong(shifts, index)) };
}

/** By halves: the last shift at or before the index tells. */
function placeAmong(shifts: readonly Shift[], index: number): number {
  let [low, high] = [0, shifts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (shifts[middle]!.from <= index) low = middle + 1;
    else high = middle;
  }
  const shift = shifts[low - 1];
  if (!shift) return index;
  return index < shift.to ? shift.originalFrom : shift.originalTo + index - shift.to;
}

function foldCharacter(char: string): string {
  if (char < '\x7f' && char >= ' ') return char;
  const known = BRACKETS[char] ?? TWINS.get(char);
  if (known !== undefined) return known;
  return INVISIBLE.test(char) ? '' : char.normalize('NFKC');
}
