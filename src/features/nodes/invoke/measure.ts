/** Measures a value of a node without recursion: one nested too deeply would overflow whoever walks it. Pure. */

export type Measured = 'fits' | 'too large' | 'too deep';

const MAX_DEPTH = 100;

/** About as many characters as it has in JSON, so far as that matters: it ends where it is too large. */
export function measure(value: unknown, maxChars: number): Measured {
  let chars = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: one, depth } = next;
    if (typeof one === 'string') chars += one.length + 2;
    else chars += 2;
    if (chars > maxChars) return 'too large';
    if (typeof one !== 'object' || one === null) continue;
    if (depth >= MAX_DEPTH) return 'too deep';
    for (const [name, inner] of Object.entries(one)) {
      if (!Array.isArray(one)) chars += name.length + 3;
      waiting.push({ value: inner, depth: depth + 1 });
    }
  }
  return chars > maxChars ? 'too large' : 'fits';
}
