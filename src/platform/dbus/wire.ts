/** The bytes of a connection to a bus: who we are, then messages both ways; answers find their calls. */
import type { Socket } from 'node:net';
import { AppError } from '../../core/errors.ts';
import { bytesOf, readMessage, type DbusMessage } from './messages.ts';

/** A message without what the connection adds. */
export type OutgoingMessage = Omit<DbusMessage, 'serial' | 'body'> & { readonly body?: readonly unknown[] };

const CALL_MS = 8000;

/** One connection; it ends with its socket. */
export class Wire {
  /** Told of what answers no call. */
  readonly onSignal: ((message: DbusMessage) => void)[] = [];
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<readonly unknown[]>>();
  readonly #greeted = Promise.withResolvers<void>();
  #serial = 0;
  #bytes = Buffer.alloc(0);
  #isOpen = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Who we are is known to the bus by the socket; the number is asked for all the same.
    const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
    socket.on('connect', () => socket.write(`\0AUTH EXTERNAL ${user}\r\n`));
    socket.on('error', (cause) => this.end(new AppError('unavailable', 'D-Bus: there is no bus', { cause })));
    socket.on('close', () => this.end(new AppError('unavailable', 'D-Bus: the bus ended the connection')));
    socket.on('data', (chunk) => this.#take(chunk));
    this.#greeted.promise.catch(() => undefined);
  }

  /** Resolves when messages may be sent. */
  get greeted(): Promise<void> {
    return this.#greeted.promise;
  }

  /** What waits ends with this. */
  end(error: AppError): void {
    this.#greeted.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#socket.destroy();
  }

  /** Its number. */
  send(message: OutgoingMessage): number {
    this.#serial += 1;
    this.#socket.write(bytesOf({ body: [], ...message, serial: this.#serial }));
    return this.#serial;
  }

  /** What the call returns. */
  async call(message: Omit<OutgoingMessage, 'kind'>): Promise<readonly unknown[]> {
    const answer = Promise.withResolvers<readonly unknown[]>();
    const serial = this.send({ kind: 'call', ...message });
    this.#waiting.set(serial, answer);
    const late = setTimeout(() => {
      this.#waiting.delete(serial);
      const who = message.destination ?? 'the service';
      answer.reject(new AppError('timeout', `D-Bus: ${who} did not answer within ${CALL_MS} ms`));
    }, CALL_MS);
    return answer.promise.finally(() => clearTimeout(late));
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    try {
      if (!this.#isOpen) this.#takeGreeting();
      if (this.#isOpen) this.#takeMessages();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.end(error);
    }
  }

  #takeGreeting(): void {
    const end = this.#bytes.indexOf('\r\n');
    if (end < 0) return;
    const line = this.#bytes.toString('latin1', 0, end);
    this.#bytes = this.#bytes.subarray(end + 2);
    if (!line.startsWith('OK ')) throw new AppError('unavailable', 'D-Bus: the bus does not let this user in');
    this.#socket.write('BEGIN\r\n');
    this.#isOpen = true;
    this.#greeted.resolve();
  }

  #takeMessages(): void {
    for (let read = readMessage(this.#bytes); read !== undefined; read = readMessage(this.#bytes)) {
      this.#bytes = this.#bytes.subarray(read.length);
      this.#dispatch(read.message);
    }
  }

  #dispatch(message: DbusMessage): void {
    const pending = this.#waiting.get(message.replySerial ?? -1);
    this.#waiting.delete(message.replySerial ?? -1);
    if (pending && message.kind === 'return') pending.resolve(message.body);
    else if (pending) pending.reject(refusalOf(message));
    else for (const one of this.onSignal) one(message);
  }
}

function refusalOf({ errorName = 'unknown error', body }: DbusMessage): AppError {
  const said = typeof body[0] === 'string' ? body[0].slice(0, 300) : '';
  return new AppError('unavailable', `${errorName}${said ? `: ${said}` : ''}`, { details: { error: errorName } });
}
