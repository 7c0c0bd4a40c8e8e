/** Removes directives from an answer, and finds where a text that still grows is undecided. Pure. */
import { codeLookup, codeRanges, mayBecomeFence } from './code-ranges.ts';
import { embedAt, mayBecomeEmbed, type Embed } from './embeds.ts';
import { createLineJoiner } from './line-joiner.ts';
import { mayBecomeMedia, mediaOfLine } from './media-line.ts';
import { mayBecomeTag, tagAt } from './tags.ts';

/** What stands in an answer, as it was written. */
export interface Scanned {
  /** Without directives; code is as it was. */
  readonly text: string;
  readonly replyTo: 'current' | { readonly id: string } | undefined;
  readonly voice: boolean;
  readonly media: readonly string[];
  readonly embeds: readonly Embed[];
}

interface Scan {
  readonly written: string;
  readonly partial: boolean;
  readonly isCode: (at: number) => boolean;
  /** What follows may be code: of a span that is not closed yet, or of a line that may yet be that of a fence. */
  readonly openFrom: number;
  readonly lines: ReturnType<typeof createLineJoiner>;
  readonly media: string[];
  readonly embeds: Embed[];
  replyTo: Scanned['replyTo'];
  voice: boolean;
}

/**
 * `partial`: more text may follow, and it is read up to where that may change the reading. Time and memory are linear
 * in the length.
 */
export function scanDirectives(written: string, { partial = false }: { partial?: boolean } = {}): Scanned {
  const code = codeRanges(written, { partial });
  const scan: Scan = {
    written,
    partial,
    isCode: codeLookup(code.ranges),
    openFrom: code.openFrom ?? Infinity,
    lines: createLineJoiner(),
    media: [],
    embeds: [],
    replyTo: undefined,
    voice: false,
  };
  scanLines(scan);
  const { replyTo, voice, media, embeds } = scan;
  return { text: scan.lines.text(), replyTo, voice, media: [...new Set(media)], embeds };
}

/** Stops where the reading is not decided. */
function scanLines(scan: Scan): void {
  const { written, partial, lines } = scan;
  for (let from = 0; from <= written.length; ) {
    const feed = written.indexOf('\n', from);
    const to = feed === -1 ? written.length : feed;
    const line = written.slice(from, to);
    if (partial && feed === -1 && mayBecomeFence(line)) return;
    const isWhole = feed !== -1 || !partial;
    if (!isWhole && !scan.isCode(from) && mayBecomeMedia(line)) return;
    const media = scan.isCode(from) ? undefined : mediaOfLine(line);
    if (media) {
      if (partial && from > scan.openFrom) return;
      scan.media.push(...media);
      lines.gap();
    } else {
      const end = scanLine(scan, { from, to });
      if (end.undecided) return;
      // A block that ends on a later line goes on there.
      if (end.at > to) {
        from = end.at;
        continue;
      }
    }
    if (feed !== -1) lines.end();
    from = to + 1;
  }
}

/** Up to the end of the line, or to the end of an embed that goes beyond it. */
function scanLine(scan: Scan, { from, to }: { from: number; to: number }): { at: number; undecided?: true } {
  const { written, lines } = scan;
  let at = from;
  for (let bracket = nextBracket(written, at, to); bracket !== -1; bracket = nextBracket(written, at, to)) {
    lines.add(written.slice(at, bracket));
    at = bracket;
    const length = scan.isCode(bracket) ? 0 : takeDirective(scan, bracket);
    if (length === undefined) return { at: bracket, undecided: true };
    if (length === 0) {
      lines.add('[');
      at += 1;
      continue;
    }
    lines.gap();
    at += length;
    if (at > to) return { at };
  }
  lines.add(written.slice(at, to));
  return { at: to };
}

/** Looks no further than the line, so that all lines together are read once. */
function nextBracket(written: string, from: number, to: number): number {
  const found = written.slice(from, to).indexOf('[');
  return found === -1 ? -1 : from + found;
}

/** Notes the directive and answers its length; 0: there is none, undefined: that is not decided yet. */
function takeDirective(scan: Scan, at: number): number | undefined {
  const { written, partial, lines } = scan;
  const tag = tagAt(written, at, lines.isBlank());
  if (partial && !tag?.meaning && mayBecomeTag(written, at)) return undefined;
  if (tag) {
    if (partial && at > scan.openFrom) return undefined;
    if (tag.meaning && 'voice' in tag.meaning) scan.voice = true;
    // The last id wins, and an id wins over the current message.
    else if (tag.meaning && (tag.meaning.replyTo !== 'current' || scan.replyTo === undefined))
      scan.replyTo = tag.meaning.replyTo;
    return tag.length;
  }
  const found = embedAt(written, at, scan.isCode);
  if (partial && (found ? found.isOpen || found.until > scan.openFrom : mayBecomeEmbed(written, at))) return undefined;
  if (found) scan.embeds.push(found.embed);
  return found?.length ?? 0;
}
