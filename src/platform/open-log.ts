/** Opens the log of one run of the gateway: file and terminal, by its configuration. */
import { silentLog, type Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { Clock } from './clock.ts';
import type { Env } from './env.ts';
import { configuredLogFile, dailyLogFile, type LoggingConfig } from './log-config.ts';
import { createLog, type LogSink } from './log-sink.ts';

/** Whose log it is, and what the command line says of it. */
export interface LogPlace {
  readonly env: Pick<Env, 'stateDir' | 'home'>;
  readonly clock: Clock;
  /** Everything is kept and shown. */
  readonly verbose?: boolean;
  readonly stdout?: { write(text: string): unknown };
}

/** A log as `logging` of the configuration describes it. */
export function openLog(logging: LoggingConfig, { env, clock, verbose = false, stdout }: LogPlace): LogSink {
  return createLog({
    file: configuredLogFile(env.stateDir, logging.file, env.home) ?? ((now) => dailyLogFile(env.stateDir, now)),
    level: verbose ? 'debug' : logging.level,
    consoleLevel: verbose ? 'debug' : logging.consoleLevel,
    consoleStyle: logging.consoleStyle,
    redact: logging.redactSensitive,
    clock,
    ...present({ stdout }),
  });
}

/** A log for what exists before the log: silent until it becomes another one. */
export function createEarlyLog(): Log & { become(log: Log): void } {
  let target: Log = silentLog;
  return {
    debug: (event, fields) => target.debug(event, fields),
    info: (event, fields) => target.info(event, fields),
    warn: (event, fields) => target.warn(event, fields),
    error: (event, fields) => target.error(event, fields),
    child: (fields) => target.child(fields),
    become: (log) => void (target = log),
  };
}
