/** Pending requests of one socket. */
import type { ResponseFrame, WireError } from './wire.ts';

export class RequestError extends Error implements WireError {
  readonly code: string;
  readonly details?: unknown;
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;

  constructor(error: WireError) {
    super(error.message);
    this.name = 'RequestError';
    this.code = error.code;
    if (error.details !== undefined) this.details = error.details;
    if (error.retryable !== undefined) this.retryable = error.retryable;
    if (error.retryAfterMs !== undefined) this.retryAfterMs = error.retryAfterMs;
  }
}

/** True if the answer was lost with the connection, so that nobody knows whether the gateway acted. */
export const isDisconnected = (cause: unknown): boolean =>
  cause instanceof RequestError && cause.code === 'DISCONNECTED';
/** The text to show for any error. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

interface Waiting {
  resolve(payload: unknown): void;
  reject(error: RequestError): void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export class RequestTable {
  #waiting = new Map<string, Waiting>();
  #next = 1;

  send<T>(
    socket: { send(text: string): void },
    request: { readonly method: string; readonly params: unknown; readonly timeoutMs?: number },
  ): Promise<T> {
    const id = String(this.#next++);
    const { timeoutMs = 30_000 } = request;
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(
          new RequestError({
            code: 'TIMEOUT',
            message: `the gateway did not answer ${request.method} within ${timeoutMs / 1000} s`,
            retryable: true,
          }),
        );
      }, timeoutMs);
      this.#waiting.set(id, { resolve: resolve as (payload: unknown) => void, reject, timer });
      socket.send(JSON.stringify({ type: 'req', id, method: request.method, params: request.params }));
    });
  }

  settle(frame: ResponseFrame): void {
    const waiting = this.#waiting.get(frame.id);
    if (!waiting) return;
    this.#waiting.delete(frame.id);
    clearTimeout(waiting.timer);
    if (frame.ok) waiting.resolve(frame.payload);
    else
      waiting.reject(
        new RequestError(
          frame.error ?? { code: 'UNAVAILABLE', message: 'the gateway returned an error without a message' },
        ),
      );
  }

  failAll(): void {
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject, timer } of lost) {
      clearTimeout(timer);
      reject(new RequestError({ code: 'DISCONNECTED', message: 'the connection was lost', retryable: true }));
    }
  }
}
