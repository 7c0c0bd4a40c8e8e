/** The words of a mail: what its sender wrote, apart from what is quoted, passed on or signed below it. Pure. */

export interface MailWords {
  /** What the agent reads: without the quotation at the end, which the conversation holds already. */
  readonly shown: string;
  /** What the sender wrote above anything that is quoted or passed on. */
  readonly own: string;
  /** Somebody else's mail follows. */
  readonly forwarded?: { readonly from: string } | undefined;
}

const FORWARDED =
  /^-{2,}\s*(?:Forwarded message|Begin forwarded|Weitergeleitete|Message transf)|^Begin forwarded message:/i;
const ORIGINAL = /^_{10,}$|^-{2,}\s*(?:Original Message|Ursprüngliche Nachricht|Message d.origine|Mensaje original)\b/i;
/** The block of headers some programs put above a quotation. */
const HEADER_LINE = /^\**[\p{L}][\p{L} ]{1,20}:\**\s+\S/u;
const MIN_HEADER_LINES = 3;
const MAX_LINES = 20_000;

/** `subjectForwards`: the subject says it is somebody else's mail. */
export function readWords(text: string, subjectForwards: boolean): MailWords {
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n', MAX_LINES)
    .map((line) => line.trimEnd());
  const forwardedAt = lines.findIndex((line) => FORWARDED.test(line));
  const headersAt = lines.findIndex((_, at) => isHeaderBlock(lines, at));
  if (forwardedAt >= 0 || (subjectForwards && headersAt >= 0)) {
    const at = forwardedAt >= 0 ? forwardedAt : headersAt;
    return { shown: joined(lines), own: ownOf(lines.slice(0, at)), forwarded: { from: senderIn(lines.slice(at)) } };
  }
  const cutAt = [lines.findIndex((line) => ORIGINAL.test(line)), headersAt].filter((at) => at >= 0);
  const kept = cutAt.length > 0 ? lines.slice(0, Math.min(...cutAt)) : lines;
  const shown = joined(withoutQuotationAtEnd(kept));
  return { shown: shown === '' ? joined(lines) : shown, own: ownOf(kept) };
}

const joined = (lines: readonly string[]): string => lines.join('\n').trim();
const isQuoted = (line: string | undefined): boolean => line !== undefined && line.startsWith('>');

function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const before = lines[at - 1];
  if (before !== undefined && before !== '' && !/^_{5,}$/.test(before)) return false;
  const block = lines.slice(at, at + MIN_HEADER_LINES);
  return block.length === MIN_HEADER_LINES && block.every((line) => HEADER_LINE.test(line)) && /@/.test(block[0]!);
}

/** Above the first quoted line and what introduces it, and above the signature. */
function ownOf(lines: readonly string[]): string {
  const quotedAt = lines.findIndex(isQuoted);
  const signedAt = lines.findIndex((line) => line === '--');
  const ends = [quotedAt >= 0 ? introducedAt(lines, quotedAt) : -1, signedAt].filter((at) => at >= 0);
  return joined(ends.length > 0 ? lines.slice(0, Math.min(...ends)) : lines);
}

/** `On Friday Ann wrote:` stands in the one or two lines above a quotation, in any language. */
function introducedAt(lines: readonly string[], quotedAt: number): number {
  let last = quotedAt - 1;
  while (last >= 0 && lines[last] === '') last -= 1;
  if (last < 0 || !lines[last]!.endsWith(':')) return quotedAt;
  return last > 0 && lines[last - 1] !== '' && !isQuoted(lines[last - 1]) && lines[last]!.length < 40 ? last - 1 : last;
}

function withoutQuotationAtEnd(lines: readonly string[]): readonly string[] {
  const signedAt = lines.findIndex((line) => line === '--');
  const body = signedAt >= 0 ? lines.slice(0, signedAt) : lines;
  let end = body.length;
  while (end > 0 && (body[end - 1] === '' || isQuoted(body[end - 1]))) end -= 1;
  if (end === body.length || !isQuoted(body.slice(end).find((line) => line !== ''))) return body;
  const quotedAt = body.findIndex((line, at) => at >= end && isQuoted(line));
  return body.slice(0, introducedAt(body, quotedAt));
}

const senderIn = (lines: readonly string[]): string =>
  lines
    .slice(0, 10)
    .map((line) => /^\**(?:From|Von|De|Da):\**\s*(.{1,200})$/i.exec(line)?.[1])
    .find(Boolean) ?? 'somebody else';
