/** The loaded part of a process's output: its end, extended in both directions. Pure. */
import type { ProcessLog } from '../gateway/wire.ts';

export interface LogWindow {
  /** 0-based number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly total: number;
  readonly droppedBytes: number;
}

export const emptyLog: LogWindow = { first: 0, lines: [], total: 0, droppedBytes: 0 };

export const PAGE = 200;
/** Lines kept while following; earlier ones can be loaded again. */
const MAX = 4000;

const linesOf = ({ output, lines }: ProcessLog): readonly string[] => (lines === 0 ? [] : output.split('\n'));

/** The next line to request at the end: the last one may be incomplete. */
export const nextRequest = (log: LogWindow): { readonly limit: number } | { readonly offset: number } =>
  log.lines.length === 0 ? { limit: PAGE } : { offset: log.first + log.lines.length - 1 };

export const earlierRequest = (log: LogWindow): { readonly offset: number; readonly limit: number } => {
  const offset = Math.max(0, log.first - PAGE);
  return { offset, limit: log.first - offset };
};

/**
 * Joins an answer with the loaded lines. An answer that does not continue them, or reports fewer lines, replaces them.
 */
export function withLog(log: LogWindow, answer: ProcessLog): LogWindow {
  const fresh = linesOf(answer);
  const whole = { first: answer.firstLine, lines: fresh, total: answer.totalLines, droppedBytes: answer.droppedBytes };
  const end = log.first + log.lines.length;
  if (log.lines.length === 0 || answer.totalLines < log.total || answer.droppedBytes !== log.droppedBytes) return whole;
  if (answer.firstLine > end || answer.firstLine + fresh.length < log.first) return whole;
  if (answer.firstLine < log.first)
    return {
      ...log,
      first: answer.firstLine,
      lines: [...fresh, ...log.lines.slice(Math.max(0, answer.firstLine + fresh.length - log.first))],
    };
  return trimmed({
    first: log.first,
    lines: [...log.lines.slice(0, answer.firstLine - log.first), ...fresh],
    total: answer.totalLines,
    droppedBytes: answer.droppedBytes,
  });
}

const trimmed = (log: LogWindow): LogWindow =>
  log.lines.length <= MAX ? log : { ...log, first: log.first + log.lines.length - MAX, lines: log.lines.slice(-MAX) };
