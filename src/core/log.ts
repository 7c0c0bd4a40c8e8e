/** The log interface. It is passed as a dependency, never imported as an instance. */

/** The structured fields of one log line, by name. Values are serialised by the sink. */
export type LogFields = Readonly<Record<string, unknown>>;

/** `event` comes first and is stable (`telegram.poll`); fields are data. Redaction happens in the sink. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  child(fields: LogFields): Log;
}

/** A log that keeps nothing, for pure code and tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, child: () => silentLog };
