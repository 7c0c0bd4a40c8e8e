/** JSON-RPC over HTTP to the signal-cli daemon. */
import { randomUUID } from 'node:crypto';
import { AppError, httpCall } from '../../sdk/index.ts';
import { rpcError } from './errors.ts';

export interface Rpc {
  /** What the daemon answers. Rejects with `AppError`; `network` and `timeout`: the outcome is not known. */
  call(method: string, params?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<unknown>;
  /** Whether a daemon answers; false: nobody listens there. Rejects where somebody else does, or does not answer. */
  isUp(signal: AbortSignal): Promise<boolean>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Bytes of the answer. */
  readonly maxBytes?: number;
}

export interface RpcOptions {
  readonly url: string;
  readonly account: string;
  /** The account is not accepted any more. */
  onAuthError(error: AppError): void;
}

const SERVICE = 'signal-cli';
const CALL_MS = 90_000;
const CHECK_MS = 3000;

export function createRpc({ url, account, onAuthError }: RpcOptions): Rpc {
  return {
    async call(method, params = {}, options = {}) {
      const answer = await httpCall({
        service: SERVICE,
        method: 'POST',
        url: `${url}/api/v1/rpc`,
        json: { jsonrpc: '2.0', id: randomUUID(), method, params: { account, ...params } },
        timeoutMs: CALL_MS,
        ...options,
      });
      const body = (answer.json() ?? {}) as { readonly result?: unknown; readonly error?: unknown };
      if (body.error) {
        const error = rpcError(method, body.error, account);
        if (error.code === 'auth') onAuthError(error);
        throw error;
      }
      // Behind a proxy a status says nothing about what became of the request.
      if (answer.status >= 300 || typeof body !== 'object' || !('result' in body))
        throw new AppError('network', `${SERVICE} gave no answer to ${method} (status ${answer.status}).`);
      return body.result;
    },
    async isUp(signal) {
      try {
        const { status } = await httpCall({
          service: SERVICE,
          url: `${url}/api/v1/check`,
          timeoutMs: CHECK_MS,
          signal,
        });
        if (status === 200) return true;
        throw new AppError(
          'unavailable',
          `At ${url} another program answers than signal-cli (status ${status}). Set channels.signal.httpPort to a ` +
            'free port, or httpUrl to the daemon.',
        );
      } catch (error) {
        if (error instanceof AppError && error.code === 'unavailable' && /cannot be reached/.test(error.message))
          return false;
        throw error;
      }
    },
  };
}
