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

/** Replaces what `pattern` (with the `g` flag) matches in the folded text; everything else stays as it was written. */
export function replaceFolded(text: string, pattern: RegExp, replacement: (match: string) => string): string {
  if (PLAIN.test(text)) return text.replace(pattern, replacement);
  const { folded, starts } = fold(text);
  let result = '';
  let done = 0;
  for (const match of folded.matchAll(pattern)) {
    const from = starts[match.index]!;
    if (from < done) continue;
    result += text.slice(done, from) + replacement(match[0]);
    done = starts[match.index + match[0].length]!;
  }
  return result + text.slice(done);
}

/** `starts[i]`: where the character behind `folded[i]` begins in the original; one more entry for the end. */
function fold(text: string): { folded: string; starts: number[] } {
  const starts: number[] = [];
  let folded = '';
  let at = 0;
  for (const char of text) {
    const plain = foldCharacter(char);
    for (let unit = 0; unit < plain.length; unit++) starts.push(at);
    folded += plain;
    at += char.length;
  }
  starts.push(at);
  return { folded, starts };
}

function foldCharacter(char: string): string {
  if (char < '\x7f' && char >= ' ') return char;
  const known = BRACKETS[char] ?? TWINS.get(char);
  if (known !== undefined) return known;
  return INVISIBLE.test(char) ? '' : char.normalize('NFKC');
}
