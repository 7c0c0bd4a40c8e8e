/** Formats a range of a log, with how to get the rest. Pure. */
import type { ProcessLog } from '../../../../sdk/index.ts';

/** Characters shown at once. */
const MAX = 30_000;

export interface LogWanted {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export function showLog(log: ProcessLog, wanted: LogWanted): string {
  const page = fitting(log, wanted);
  const dropped =
    log.droppedBytes > 0
      ? [`[${log.droppedBytes} bytes in the middle were dropped: the log had grown too long (tools.exec.spoolMaxMb).]`]
      : [];
  if (log.totalLines === 0) return ['(no output)', ...dropped].join('\n');
  if (log.lines === 0) return [`(no lines here; there are ${log.totalLines}, counted from 0)`, ...dropped].join('\n');
  return [page.text, ...dropped, ...rest(log, page)].join('\n');
}

interface Page {
  readonly text: string;
  readonly first: number;
  readonly lines: number;
}

/**
 * From the start of the window when an offset was asked for, else its end; whole lines unless a single one is too long.
 */
function fitting({ output, firstLine, lines }: ProcessLog, { offset }: LogWanted): Page {
  if (output.length <= MAX) return { text: output, first: firstLine, lines };
  const all = output.split('\n');
  const kept = offset === undefined ? fromEnd(all) : fromStart(all);
  return {
    text: kept.join('\n'),
    first: offset === undefined ? firstLine + all.length - kept.length : firstLine,
    lines: kept.length,
  };
}

function fromStart(lines: readonly string[]): readonly string[] {
  let room = MAX;
  const over = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return over === 0
    ? [`${lines[0]!.slice(0, MAX)} [… this line has ${lines[0]!.length} characters]`]
    : lines.slice(0, over < 0 ? lines.length : over);
}

function fromEnd(lines: readonly string[]): readonly string[] {
  let room = MAX;
  const over = lines.findLastIndex((line) => (room -= line.length + 1) < 0);
  const last = lines.at(-1)!;
  return over === lines.length - 1
    ? [`[this line has ${last.length} characters …] ${last.slice(-MAX)}`]
    : lines.slice(over + 1);
}

function rest({ totalLines }: ProcessLog, { first, lines }: Page): readonly string[] {
  if (lines >= totalLines) return [];
  const before =
    first > 0 ? `offset=${Math.max(0, first - lines)} limit=${Math.min(first, lines)} shows those before` : '';
  const behind = first + lines < totalLines ? `offset=${first + lines} shows those behind` : '';
  return [
    `\n[Lines ${first} to ${first + lines - 1} of ${totalLines}, counted from 0; ` +
      `${[before, behind].filter(Boolean).join(', ')}.]`,
  ];
}
