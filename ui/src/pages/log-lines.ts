/** Parses the gateway's log lines (one JSON object each) for display. Pure. */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogLine {
  readonly at: string;
  readonly level: Level;
  readonly event: string;
  readonly rest: string;
  /** Milliseconds since the epoch, if the line has a time. */
  readonly atMs?: number;
  /** The session and the run of the line. */
  readonly sessionKey?: string;
  readonly runId?: string;
}

const TIMES = ['time', 'ts', 'at', 'timestamp'];
const NAMES = ['event', 'msg', 'message'];

export function parseLogLine(line: string): LogLine {
  let record: Record<string, unknown>;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return plain(line);
    record = { ...value } as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof SyntaxError) return plain(line);
    throw cause;
  }
  const take = (names: readonly string[]): unknown => {
    const name = names.find((candidate) => record[candidate] !== undefined);
    const value = name === undefined ? undefined : record[name];
    if (name !== undefined) delete record[name];
    return value;
  };
  const time = take(TIMES);
  const level = levelOf(take(['level', 'lvl']));
  const event = String(take(NAMES) ?? '');
  const atMs = time === undefined ? NaN : new Date(time as string | number).getTime();
  const { sessionKey } = record;
  const runId = record['runId'] ?? record['turnId'];
  return {
    at: time === undefined ? '' : clockOf(time),
    ...(Number.isNaN(atMs) ? {} : { atMs }),
    ...(typeof sessionKey === 'string' ? { sessionKey } : {}),
    ...(typeof runId === 'string' ? { runId } : {}),
    level,
    event,
    rest: Object.entries(record)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join('  '),
  };
}

const plain = (line: string): LogLine => ({ at: '', level: 'info', event: line, rest: '' });

function levelOf(value: unknown): Level {
  if (typeof value === 'number') return value >= 50 ? 'error' : value >= 40 ? 'warn' : value >= 30 ? 'info' : 'debug';
  const name = String(value ?? 'info').toLowerCase();
  if (name === 'fatal') return 'error';
  if (name === 'trace') return 'debug';
  return LEVELS.find((level) => level === name) ?? 'info';
}

function clockOf(value: unknown): string {
  const date = new Date(value as string | number);
  return Number.isNaN(date.getTime())
    ? String(value)
    : `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

export interface LogFilter {
  readonly least: Level;
  readonly text: string;
  /** Milliseconds since the epoch; a line without a time has the time of the one before it. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Lines at `least` or above, within the time range, that contain `text`. */
export const findLines = (
  lines: readonly LogLine[],
  { least, text, since = -Infinity, until = Infinity }: LogFilter,
): readonly LogLine[] => {
  const needle = text.trim().toLowerCase();
  let at = -Infinity;
  return lines.filter(
    (line) =>
      (at = line.atMs ?? at) >= since &&
      at <= until &&
      LEVELS.indexOf(line.level) >= LEVELS.indexOf(least) &&
      (!needle || `${line.event} ${line.rest}`.toLowerCase().includes(needle)),
  );
};
