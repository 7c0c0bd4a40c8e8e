/** Passes the library's log texts to the gateway's log, without its objects, which contain messages and keys. */
import type { Log } from '../../sdk/index.ts';

export interface LibraryLog {
  level: string;
  child(): LibraryLog;
  trace(): void;
  debug(): void;
  info(): void;
  warn(object: unknown, text?: string): void;
  error(object: unknown, text?: string): void;
}

export function libraryLog(log: Log): LibraryLog {
  const say = (object: unknown, text?: string): void =>
    log.debug('whatsapp.library', { text: typeof object === 'string' ? object : (text ?? '') });
  const self: LibraryLog = {
    level: 'warn',
    child: () => self,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: say,
    error: say,
  };
  return self;
}
