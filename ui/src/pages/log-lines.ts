/** Parses the gateway's log lines (one JSON object each) for display. Pure. */

export const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface LogLine {
  readonly at: string;
  readonly level: Level;
  readonly event: string;
  readonly rest: string;
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
  return {
    at: time === undefined ? '' : clockOf(time),
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

/** Lines at `least` or above that contain `text`. */
export const findLines = (lines: readonly LogLine[], least: Level, text: string): readonly LogLine[] => {
  const needle = text.trim().toLowerCase();
  return lines.filter(
    (line) =>
      LEVELS.indexOf(line.level) >= LEVELS.indexOf(least) &&
      (!needle || `${line.event} ${line.rest}`.toLowerCase().includes(needle)),
  );
};
