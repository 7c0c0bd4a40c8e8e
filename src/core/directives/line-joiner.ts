/** Joins the lines of an answer after directives were removed. Pure. */

/** Collects text, gaps and line ends in their order. */
export interface LineJoiner {
  add(text: string): void;
  /** A directive stood here. */
  gap(): void;
  /** The line ends. */
  end(): void;
  /** Nothing but blanks and gaps is in the line so far. */
  isBlank(): boolean;
  text(): string;
}

/**
 * White space stays as it was written, but: one of two blanks around a directive goes with it, a line that held nothing
 * else goes, and so does one of two blank lines around such a line.
 */
export function createLineJoiner(): LineJoiner {
  const lines: string[] = [];
  /** `null`: a gap. */
  let parts: (string | null)[] = [];
  let skipsBlank = false;

  function end(): void {
    const hasGap = parts.includes(null);
    const line = hasGap ? closed(parts) : parts.join('');
    parts = [];
    const isBlank = line.trim() === '';
    if (hasGap && isBlank) skipsBlank = lines.length === 0 || lines.at(-1)!.trim() === '';
    else {
      if (!(isBlank && skipsBlank)) lines.push(line);
      skipsBlank = false;
    }
  }

  return {
    add: (text) => void (text !== '' && parts.push(text)),
    gap: () => void parts.push(null),
    end,
    isBlank: () => parts.every((part) => part === null || part.trim() === ''),
    text() {
      end();
      return lines.join('\n');
    },
  };
}

/** The line without its gaps. What stands before the first word of a line is its indentation. */
function closed(parts: readonly (string | null)[]): string {
  let line = '';
  let open = false;
  for (const part of parts) {
    if (part === null) open = true;
    else if (!open) line += part;
    else if (part.trim() !== '') {
      line = joined(line, part);
      open = false;
    }
  }
  return open ? line.trimEnd() : line;
}

function joined(before: string, after: string): string {
  if (before.trim() === '') return before + after.trimStart();
  if (/\s$/.test(before)) return before + after.trimStart();
  if (/^\s/.test(after)) return before + after;
  // Two words that only the directive kept apart.
  return /[\p{L}\p{N}.,;:!?]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after) ? `${before} ${after}` : before + after;
}
