/** Finds text however it is disguised: full-width letters, invisible characters, look-alike brackets and foreign line breaks. Pure. */

const BRACKETS: Readonly<Record<string, string>> = {
  '‹': '<', '\u2329': '<', '\u3008': '<', '\u27e8': '<', '❮': '<', '❬': '<', '˂': '<', 'ᐸ': '<', '《': '<<', '«': '<<', '≪': '<<',
  '›': '>', '\u232a': '>', '\u3009': '>', '\u27e9': '>', '❯': '>', '❭': '>', '˃': '>', 'ᐳ': '>', '》': '>>', '»': '>>', '≫': '>>',
  '【': '[', '〔': '[', '❲': '[', '⦋': '[', '⟦': '[[', '〚': '[[', '】': ']', '〕': ']', '❳': ']', '⦌': ']', '⟧': ']]', '〛': ']]',
  '⁄': '/', '∕': '/', '⧸': '/', '∶': ':', '꞉': ':', '։': ':', '︰': ':',
  '\r': '\n', '\v': '\n', '\f': '\n', '\u0085': '\n', '\u2028': '\n', '\u2029': '\n',
};
/** Cyrillic and Greek letters nobody can tell from Latin ones. */
const TWINS = new Map(Array.from('АВЕІЈКМНОРСТУХаеіјкорсухѕԁΑΒΕΙΚΜΝΟΡΤΥΧο', (twin, index) => [twin, 'ABEIJKMHOPCTYXaeijkopcyxsdABEIKMNOPTYXo'[index]!]));

const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u;
const PLAIN = /^[\t\n\x20-\x7e]*$/;

export interface FoldedRule {
  /** With the `g` flag; matched against the folded text. */
  readonly pattern: RegExp;
  replacement(match: string): string;
}

/** Replaces what the rules match in the folded text, whichever begins first; everything else stays as it was written. */
export function replaceFolded(text: string, rules: readonly FoldedRule[]): string {
  const plain = PLAIN.test(text);
  const { folded, starts } = plain ? { folded: text, starts: undefined } : fold(text);
  const place = (index: number): number => (starts ? starts[index]! : index);
  const matches = rules.flatMap(({ pattern, replacement }) => Array.from(folded.matchAll(pattern), (match) => ({ from: match.index, text: match[0], replacement }))).sort((a, b) => a.from - b.from);
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

/** `starts[i]`: where the character behind `folded[i]` begins in the original; one more entry for the end. Each character is looked up once: documents are long and alphabets are not. */
function fold(text: string): { folded: string; starts: Uint32Array } {
  const known = new Map<string, string>();
  const parts: string[] = [];
  const starts: number[] = [];
  let at = 0;
  for (const char of text) {
    let plain = known.get(char);
    if (plain === undefined) known.set(char, (plain = foldCharacter(char)));
    parts.push(plain);
    for (let unit = 0; unit < plain.length; unit++) starts.push(at);
    at += char.length;
  }
  starts.push(at);
  return { folded: parts.join(''), starts: Uint32Array.from(starts) };
}

function foldCharacter(char: string): string {
  if (char < '\x7f' && char >= ' ') return char;
  const known = BRACKETS[char] ?? TWINS.get(char);
  if (known !== undefined) return known;
  return INVISIBLE.test(char) ? '' : char.normalize('NFKC');
}
