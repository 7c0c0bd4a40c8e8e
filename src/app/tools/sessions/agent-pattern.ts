/** What one entry of a list of agents means: exactly that id, or with `*` a pattern in any case. Pure. */

export function readPattern(written: string): (agentId: string) => boolean {
  const pattern = written.trim();
  if (!pattern.includes('*')) return (agentId) => agentId === pattern;
  const parts = pattern.toLowerCase().split(/\*+/);
  return (agentId) => holds(agentId.toLowerCase(), parts);
}

/** `parts` in this order, the first at the beginning and the last at the end: without a regular expression, nothing in a pattern can take long. */
function holds(text: string, parts: readonly string[]): boolean {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}
