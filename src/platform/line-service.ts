/** A service that answers in lines over TCP: one greeting is sent, then lines are read until somebody has enough. */
import { connect } from 'node:net';
import { AppError } from '../core/errors.ts';

/** Which service, and what it is asked. */
export interface LineService {
  readonly host: string;
  readonly port: number;
  /** Sent when the connection is there. */
  readonly greeting: string;
  readonly signal: AbortSignal;
}

/** Longer lines are nothing that was asked for. */
const MAX_LINE = 64 * 1024;

/** Every whole line. Throws `AppError('unavailable')` where nobody answers; ends with the connection or `signal`. */
export async function* linesOf({ host, port, greeting, signal }: LineService): AsyncGenerator<string, void> {
  const socket = connect({ host, port });
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  socket.on('connect', () => socket.write(greeting));
  let rest = '';
  try {
    for await (const chunk of socket.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      if (rest.length > MAX_LINE) throw new AppError('bad_response', `${host}:${port} sent a line without an end`);
      yield* lines;
    }
  } catch (error) {
    if (signal.aborted || error instanceof AppError) {
      if (signal.aborted) return;
      throw error;
    }
    throw new AppError('unavailable', `nothing answers at ${host}:${port}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}
