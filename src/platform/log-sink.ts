/**
 * Writes log lines to a private daily file and the terminal: redacted, and in batches that do not block the event loop.
 */
import type { Log, LogFields } from '../core/log.ts';
import { openAppend, type AppendFile } from './append-file.ts';
import { systemClock, type Clock } from './clock.ts';
import type { ConsoleStyle, LogLevel } from './log-config.ts';
import { consoleLine } from './log-console.ts';
import { logRecord } from './log-record.ts';
import { redactText } from './redact.ts';

/** A log that writes to a file and the console, secrets removed. */
export interface LogSink extends Log, AsyncDisposable {
  /** The file written now; undefined when there is none. */
  readonly file: () => string | undefined;
  /** Told after each batch of lines that was written to the file. Returns what ends that. */
  onWritten(listener: () => void): () => void;
  /** Resolves once everything logged so far is written. Never rejects. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Where lines go and which of them. */
export interface LogSinkOptions {
  /** A path, or a function of the time for a file a day. */
  readonly file?: string | ((now: number) => string);
  readonly level: LogLevel;
  readonly consoleLevel: LogLevel;
  readonly consoleStyle: ConsoleStyle;
  readonly redact: 'tools' | 'off';
  readonly stdout?: { write(text: string): unknown };
  readonly clock?: Clock;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** `silent` and `fatal` keep nothing of ours: our highest level is `error`. */
const RANK: Readonly<Record<LogLevel, number>> = {
  trace: 0,
  debug: 1,
  info: 2,
  warn: 3,
  error: 4,
  fatal: 5,
  silent: 6,
};
/** Characters waiting for the disk; beyond that lines are dropped and counted. */
const MAX_BUFFERED = 4 * 1024 * 1024;

/** Lines are written in order, behind each other; a file that cannot be written costs the lines, not the process. */
export function createLog(options: LogSinkOptions): LogSink {
  const clock = options.clock ?? systemClock;
  const stdout = options.stdout;
  const clean = options.redact === 'off' ? (text: string) => text : redactText;
  const toFile = options.file === undefined ? Infinity : RANK[options.level];
  const toConsole = stdout ? RANK[options.consoleLevel] : Infinity;
  const fileAt = (): string | undefined =>
    typeof options.file === 'function' ? options.file(clock.now()) : options.file;
  const listeners = new Set<() => void>();
  const writer = createWriter({
    fileAt,
    now: clock.now,
    complain: (problem) => stdout?.write(`${problem}\n`),
    written: () => listeners.forEach((listener) => listener()),
  });

  const log = (level: Level, event: string, fields: LogFields): void => {
    const rank = RANK[level];
    if (rank < toFile && rank < toConsole) return;
    const record = logRecord({ time: clock.now(), level, event }, fields);
    if (rank >= toFile) writer.add(clean(JSON.stringify(record)));
    if (rank >= toConsole) stdout?.write(`${clean(consoleLine(record, options.consoleStyle))}\n`);
  };
  const bind = (bound: LogFields): Log => ({
    debug: (event, fields) => log('debug', event, fields ? { ...bound, ...fields } : bound),
    info: (event, fields) => log('info', event, fields ? { ...bound, ...fields } : bound),
    warn: (event, fields) => log('warn', event, fields ? { ...bound, ...fields } : bound),
    error: (event, fields) => log('error', event, fields ? { ...bound, ...fields } : bound),
    child: (fields) => bind({ ...bound, ...fields }),
  });
  return {
    ...bind({}),
    file: fileAt,
    onWritten(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    flush: writer.flush,
    close: writer.close,
    [Symbol.asyncDispose]: writer.close,
  };
}

interface Writer {
  add(line: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Collects lines and writes one batch at a time; failures are reported once per outage, to `complain`. */
function createWriter({
  fileAt,
  now,
  complain,
  written,
}: {
  fileAt: () => string | undefined;
  now: () => number;
  complain: (problem: string) => void;
  written: () => void;
}): Writer {
  let lines: string[] = [];
  let waiting = 0;
  let dropped = 0;
  let failing = false;
  let open: AppendFile | undefined;
  let draining: Promise<void> | undefined;

  const take = (): string => {
    if (dropped > 0)
      lines.push(JSON.stringify(logRecord({ time: now(), level: 'warn', event: 'log.dropped' }, { lines: dropped })));
    const text = `${lines.join('\n')}\n`;
    lines = [];
    waiting = 0;
    dropped = 0;
    return text;
  };
  const drain = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (lines.length > 0) {
      const text = take();
      const path = fileAt();
      if (path === undefined) continue;
      try {
        if (open?.path !== path) {
          await open?.close();
          open = undefined;
          open = await openAppend(path);
        }
        await open.append(text);
        failing = false;
        written();
      } catch (error) {
        // A log that cannot be written must not stop the product; the terminal hears of it once.
        if (!failing)
          complain(`The log file cannot be written: ${error instanceof Error ? error.message : String(error)}`);
        failing = true;
      }
    }
    draining = undefined;
  };
  const flush = async (): Promise<void> => {
    while (draining) await draining;
  };
  return {
    add(line) {
      if (waiting + line.length > MAX_BUFFERED) {
        dropped += 1;
        return;
      }
      lines.push(line);
      waiting += line.length;
      draining ??= drain();
    },
    flush,
    async close() {
      await flush();
      await open?.close();
      open = undefined;
    },
  };
}
