/** One connection as lines: read in order, written immediately, closed when it is silent too long. */
import type { Duplex } from 'node:stream';
import { AppError, systemClock, type Clock } from '../../sdk/index.ts';
import { readLine, writeLine, type IrcMessage } from './message.ts';

export interface Wire extends AsyncDisposable {
  /** The next message; undefined once the connection is over. */
  read(): Promise<IrcMessage | undefined>;
  send(command: string, params?: readonly string[], tags?: Readonly<Record<string, string | undefined>>): void;
  /** Why it is over; undefined as long as it is not. */
  readonly lost: AppError | undefined;
  /** It is of no use any more. */
  drop(why: AppError): void;
}

/** Tags (8191 bytes) and a line, with room to spare. */
const LONGEST_LINE = 20_000;
const SILENT_MS = 60_000;
const FAREWELL_MS = 1000;

export interface WireOptions {
  readonly socket: Duplex;
  readonly clock?: Clock;
  /** Milliseconds without a line after which the server is asked, and after as many again given up. */
  readonly silentMs?: number;
  onAlive(): void;
}

interface State {
  rest: string;
  lost?: AppError;
  /** Something came since the last check. */
  received: boolean;
  /** Nothing came, and the server was sent a PING. */
  pinged: boolean;
  /** Who waits for the next message. */
  reader?: ((message: IrcMessage | undefined) => void) | undefined;
}

export function createWire({ socket, clock = systemClock, silentMs = SILENT_MS, onAlive }: WireOptions): Wire {
  const messages: IrcMessage[] = [];
  const state: State = { rest: '', received: true, pinged: false };
  const timers = new DisposableStack();

  const send: Wire['send'] = (command, params, tags) => {
    if (!state.lost) socket.write(`${writeLine(command, params, tags)}\r\n`);
  };
  const deliver = (message: IrcMessage | undefined): boolean => {
    const { reader } = state;
    state.reader = undefined;
    reader?.(message);
    return reader !== undefined;
  };
  const end = (why: AppError): void => {
    state.lost ??= why;
    timers.dispose();
    socket.destroy();
    deliver(undefined);
  };
  const watch = (): void => {
    if (state.received) Object.assign(state, { received: false, pinged: false });
    else if (state.pinged) end(new AppError('network', 'The server has said nothing for too long.'));
    else {
      state.pinged = true;
      send('PING', ['alive']);
    }
  };
  const take = (message: IrcMessage): void => {
    if (message.command === 'PING') send('PONG', message.params.slice(-1));
    else if (!deliver(message)) messages.push(message);
  };
  timers.use(clock.setInterval(watch, silentMs).unref());

  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    state.received = true;
    onAlive();
    const lines = (state.rest + chunk).split('\n');
    state.rest = lines.pop()!;
    if (state.rest.length > LONGEST_LINE)
      return end(new AppError('bad_response', 'The server sends a line without end.'));
    for (const line of lines) {
      const message = line.length > LONGEST_LINE ? undefined : readLine(line);
      if (message) take(message);
    }
  });
  socket.on('error', (error: NodeJS.ErrnoException) =>
    end(new AppError('network', `The connection broke (${error.code ?? 'unknown'}).`, { cause: error })),
  );
  socket.on('close', () => end(new AppError('network', 'The server closed the connection.')));

  return {
    send,
    drop: end,
    get lost() {
      return state.lost;
    },
    read() {
      const next = messages.shift();
      if (next || state.lost) return Promise.resolve(next);
      return new Promise((resolve) => (state.reader = resolve));
    },
    async [Symbol.asyncDispose]() {
      if (!state.lost) await farewell({ socket, clock, send });
      end(new AppError('aborted', 'The connection was closed.'));
    },
  };
}

/** The server is told, and has a moment to say goodbye. */
async function farewell({ socket, clock, send }: Pick<Wire, 'send'> & { socket: Duplex; clock: Clock }): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  send('QUIT', ['bye']);
  const timer = clock.setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.end();
  await closed;
  timer.cancel();
}
