/** Parses a line `MEDIA:<reference>` into paths and addresses. Whether they may be sent is decided elsewhere. Pure. */

/** Characters of one reference. */
const MAX_REFERENCE = 4096;
/** Characters of a line; a longer one is text. */
const MAX_LINE = 16_384;
const LINE = /^ {0,3}MEDIA:[ \t]*(\S[^\n]*)$/;
const QUOTED = /^(["'`])(.+)\1$/;
/** A reference that says by itself that it is one. */
const STARTS_ONE = /^(?:https?:\/\/|file:\/\/|~|\.{0,2}\/|[a-z]:[\\/]|\\\\)/i;
const HAS_EXTENSION = /\.\w{1,8}$/;
const ADDRESS = /^(?:https?|file):\/\//i;

/** The references of a line in their order; undefined: the line is text. */
export function mediaOfLine(line: string): readonly string[] | undefined {
  if (line.length > MAX_LINE) return undefined;
  const written = LINE.exec(line)?.[1]?.trimEnd();
  if (written === undefined) return undefined;
  const references = referencesIn(withoutJson(written));
  return references?.every((one) => one.length <= MAX_REFERENCE) ? references : undefined;
}

/** Whether a line that is not whole may become one. */
export const mayBecomeMedia = (line: string): boolean =>
  /^ {0,3}(?:M|ME|MED|MEDI|MEDIA|MEDIA:[^\n]*)$/.test(line) && line.length <= MAX_LINE;

/** A model that answers in JSON leaves its end behind the reference. */
function withoutJson(written: string): string {
  const end = /(\.\w{1,8})["']\s*[}\],]/.exec(written);
  return end && !/^["'`]/.test(written) ? written.slice(0, end.index + end[1]!.length) : written;
}

function referencesIn(written: string): readonly string[] | undefined {
  const whole = unquoted(written) ?? /^<([^<>]+)>$/.exec(written)?.[1]?.trim();
  if (whole !== undefined) return isReference(whole) ? [whole] : undefined;
  const pieces: string[] = [];
  for (const [token] of written.matchAll(/"[^"]+"|'[^']+'|`[^`]+`|\S+/g)) {
    const quoted = unquoted(token);
    const bare = quoted ?? bareOf(token);
    const last = pieces.at(-1);
    if (last === undefined || quoted !== undefined || STARTS_ONE.test(bare) || endsBefore(last, bare))
      pieces.push(bare);
    else if (!STARTS_ONE.test(last) || ADDRESS.test(last)) return undefined;
    else pieces[pieces.length - 1] = `${last} ${bare}`; // a path with blanks
  }
  return pieces.length > 0 && pieces.every(isReference) ? pieces : undefined;
}

/** The reference before is whole, and this is one of its own. */
const endsBefore = (last: string, next: string): boolean =>
  HAS_EXTENSION.test(last) && HAS_EXTENSION.test(next) && isReference(next);

function unquoted(written: string): string | undefined {
  const [, quote, inner = ''] = QUOTED.exec(written) ?? [];
  return quote !== undefined && !inner.includes(quote) ? inner.trim() : undefined;
}

function bareOf(token: string): string {
  const bare = token.replace(/^[`"'[{(]+/, '');
  let end = bare.length;
  while (end > 0 && CLOSING.has(bare[end - 1]!)) end--;
  return bare.slice(0, end);
}

const CLOSING: ReadonlySet<string> = new Set('`"\'\\)}],');

/** A path or an address; words behind `MEDIA:` are words. */
function isReference(one: string): boolean {
  if (ADDRESS.test(one)) return !/\s/.test(one) && one.length > 8;
  if (STARTS_ONE.test(one)) return one.length > 1;
  if (/^[a-z][\w+.-]*:/i.test(one)) return false; // another scheme, `data:` among them
  return HAS_EXTENSION.test(one) || /^\S+\/\S+$/.test(one);
}
