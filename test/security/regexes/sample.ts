/** Generates texts that a regular expression almost matches, from its source, to force backtracking. Pure. */

/** What one atom of a pattern could match, and where the next begins. */
interface Atom {
  readonly text: string;
  readonly next: number;
}

const CLASSES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  s: ' ',
  S: 'a',
  w: 'a',
  W: ' ',
  d: '0',
  D: 'a',
  b: '',
  B: '',
  f: '\f',
  v: '\v',
  0: '\0',
};

/** One text for every way through the alternatives on top, and all their beginnings. */
export function samplesOf(source: string): readonly string[] {
  const found = new Set<string>();
  let [text, at] = ['', 0];
  while (at < source.length) {
    if (source[at] === '|') [text, at] = ['', at + 1];
    const atom = atomAt(source, at);
    if (atom.text !== '') found.add((text += atom.text));
    at = pastQuantifier(source, atom.next);
  }
  return [...found].filter((sample) => sample.length <= 200);
}

function atomAt(source: string, at: number): Atom {
  const sign = source[at] ?? '';
  if (sign === '\\') return escapeAt(source, at);
  if (sign === '[') return classAt(source, at);
  if (sign === '(') return groupAt(source, at);
  return { text: '^$)|'.includes(sign) ? '' : sign === '.' ? 'a' : sign, next: at + 1 };
}

function escapeAt(source: string, at: number): Atom {
  const sign = source[at + 1] ?? '';
  if (sign === 'x') return { text: String.fromCharCode(parseInt(source.slice(at + 2, at + 4), 16)), next: at + 4 };
  if (sign === 'u' && source[at + 2] !== '{')
    return { text: String.fromCharCode(parseInt(source.slice(at + 2, at + 6), 16)), next: at + 6 };
  if ('upPk'.includes(sign) && '{<'.includes(source[at + 2] ?? ' '))
    return { text: 'a', next: source.slice(at).search(/[}>]/) + at + 1 };
  return { text: CLASSES[sign] ?? sign, next: at + 2 };
}

function classAt(source: string, at: number): Atom {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  const negated = source[at + 1] === '^';
  const first = atomAt(`${source.slice(at + 1, end)} `, 0).text;
  return {
    text: negated ? (['a', ' ', '-', '0'].find((sign) => !source.slice(at, end).includes(sign)) ?? '~') : first,
    next: end + 1,
  };
}

/** Its first alternative; a look around is nothing, but what is looked for ahead comes too. */
function groupAt(source: string, at: number): Atom {
  let [depth, end] = [0, at];
  for (; end < source.length; end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === '[') end = classAt(source, end).next - 1;
    else if (source[end] === '(') depth++;
    else if (source[end] === ')' && --depth === 0) break;
  }
  const inside = source.slice(at + 1, end);
  if (/^\?(?:!|<!|<=)/.test(inside)) return { text: '', next: end + 1 };
  return { text: samplesOf(inside.replace(/^\?(?::|=|<\w+>)/, ''))[lengthOfFirst(inside)] ?? '', next: end + 1 };
}

/** The last sample of the first alternative. */
function lengthOfFirst(inside: string): number {
  const plain = inside.replace(/^\?(?::|=|<\w+>)/, '');
  let [depth, at] = [0, 0];
  for (; at < plain.length; at++) {
    if (plain[at] === '\\') at++;
    else if (plain[at] === '[') at = classAt(plain, at).next - 1;
    else if (plain[at] === '(') depth++;
    else if (plain[at] === ')') depth--;
    else if (plain[at] === '|' && depth === 0) break;
  }
  return samplesOf(plain.slice(0, at)).length - 1;
}

function pastQuantifier(source: string, at: number): number {
  const [quantifier = ''] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(source.slice(at, at + 20)) ?? [];
  return at + quantifier.length;
}
