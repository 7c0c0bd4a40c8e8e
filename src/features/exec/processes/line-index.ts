/** Finds lines in a long spool without reading it again, with a sparse index of line offsets. */
import type { Spool, SpoolLayout } from '../platform/spool.ts';
import { cleaned } from '../output/cleaner.ts';
import { DEFAULT_LINES, logWindow, type LogWindow } from '../output/lines.ts';

export interface LineIndex {
  /**
   * As `logWindow`, over line feeds as they were written. At most 128 KiB of lines are shown: the first of a window,
   * the last of `limit` alone.
   */
  window(window: {
    readonly offset?: number | undefined;
    readonly limit?: number | undefined;
  }): Promise<LogWindow & { readonly totalChars: number }>;
  /** Characters kept between two offsets, control sequences counted too. */
  charsBetween(from: number, to: number): Promise<number>;
}

const LF = 0x0a;
const EVERY = 1000;
const SHOWN_BYTES = 128 * 1024;

/** `marks[n]` is the offset at which line n × 1000 begins. */
interface Counted {
  readonly layout: SpoolLayout;
  readonly decoder: InstanceType<typeof TextDecoder>;
  at: number;
  lines: number;
  chars: number;
  endsInLine: boolean;
  readonly marks: number[];
}

export function createLineIndex(spool: Spool): LineIndex {
  let counted: Counted | undefined;

  /** Goes on where it stopped, unless the files changed places. */
  async function count(): Promise<Counted> {
    const layout = spool.layout();
    const known = counted !== undefined && counted.layout.outStart === layout.outStart ? counted : undefined;
    const now: Counted = known ?? {
      layout,
      decoder: new TextDecoder(),
      at: 0,
      lines: 0,
      chars: 0,
      endsInLine: false,
      marks: [0],
    };
    counted = now;
    await spool.read(now.at, spool.end(), (bytes, at) => {
      now.chars += now.decoder.decode(bytes, { stream: true }).length;
      for (let feed = bytes.indexOf(LF); feed >= 0; feed = bytes.indexOf(LF, feed + 1))
        if (++now.lines % EVERY === 0) now.marks.push(at + feed + 1);
      now.endsInLine = bytes.at(-1) !== LF;
      now.at = at + bytes.length;
    });
    return now;
  }

  /** About as much as is shown, from an offset on, without its first `skip` lines. */
  async function textFrom(offset: number, skip: number): Promise<string> {
    const pieces: Buffer[] = [];
    let left = skip;
    let size = 0;
    await spool.read(offset, spool.end(), (bytes) => {
      let start = 0;
      for (let feed = bytes.indexOf(LF); left > 0 && feed >= 0; feed = bytes.indexOf(LF, start), left--)
        start = feed + 1;
      if (left > 0) return true;
      pieces.push(bytes.subarray(start));
      size += bytes.length - start;
      return size < SHOWN_BYTES;
    });
    return cleaned(Buffer.concat(pieces));
  }

  return {
    async window({ offset, limit }) {
      const { lines, chars, endsInLine, marks } = await count();
      const totalLines = lines + (endsInLine ? 1 : 0);
      const from = numberOf(offset);
      const wanted = numberOf(limit) ?? (from === undefined ? DEFAULT_LINES : totalLines);
      const first = from === undefined ? Math.max(0, totalLines - wanted) : Math.min(from, totalLines);
      const newest = from === undefined;
      const mark = Math.min(Math.floor(first / EVERY), marks.length - 1);
      const text = await textFrom(
        newest ? Math.max(marks[mark]!, spool.before(spool.end(), SHOWN_BYTES)) : marks[mark]!,
        newest ? 0 : first - mark * EVERY,
      );
      const shown = logWindow(text, newest ? { limit: wanted } : { offset: 0, limit: wanted });
      return {
        output: shown.output,
        lines: shown.lines,
        firstLine: newest ? totalLines - shown.lines : first,
        totalLines,
        totalChars: chars,
      };
    },
    async charsBetween(from, to) {
      const decoder = new TextDecoder();
      let chars = 0;
      await spool.read(from, to, (bytes) => {
        chars += decoder.decode(bytes, { stream: true }).length;
      });
      return chars;
    },
  };
}

const numberOf = (value: number | undefined): number | undefined =>
  value === undefined || Number.isNaN(value) ? undefined : Math.max(0, Math.trunc(value));
