/** The REST API of the Bot Connector. */
import { AppError, head, httpCall, present, type HttpCall } from '../../sdk/index.ts';
import type { Token } from './token.ts';

export interface ConnectorApi {
  /** `serviceUrl`: of the conversation. Rejects with `AppError`; `network` and `timeout`: the outcome is not known. */
  call(request: ConnectorRequest): Promise<Readonly<Record<string, unknown>>>;
}

export interface ConnectorRequest {
  readonly serviceUrl: string;
  readonly method: NonNullable<HttpCall['method']>;
  readonly path: string;
  readonly json?: unknown;
  readonly signal?: AbortSignal;
}

const CALL_MS = 30_000;
const WAIT_MS = 2000;

export function createConnectorApi(token: Token, onAuthError: (error: AppError) => void): ConnectorApi {
  return {
    async call({ serviceUrl, method, path, json, signal }) {
      const answer = await httpCall({
        service: 'the Bot Connector',
        method,
        url: `${serviceUrl.replace(/(?<!\/)\/+$/, '')}/v3/${path}`,
        headers: { authorization: `Bearer ${await token.get()}` },
        timeoutMs: CALL_MS,
        ...present({ json, signal }),
      });
      const body = (answer.json() ?? {}) as Readonly<Record<string, unknown>>;
      if (answer.status < 300) return body;
      const error = refusal(answer.status, body, Number(answer.headers.get('retry-after')));
      if (error.code === 'auth') onAuthError(error);
      throw error;
    },
  };
}

function refusal(status: number, body: Readonly<Record<string, unknown>>, retryAfter: number): AppError {
  const { code, message } = (body['error'] ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const said = head([code, message].filter((one) => typeof one === 'string').join(': ') || `status ${status}`, 300);
  if (status === 401)
    return new AppError(
      'auth',
      `The Bot Connector does not accept the bot (${said}). Check that it and its Teams channel still exist in Azure.`,
    );
  if (status === 429)
    return new AppError('rate_limited', 'Teams asks to wait before the next message.', {
      retryAfterMs: retryAfter > 0 ? retryAfter * 1000 : WAIT_MS,
    });
  if (status === 403)
    return new AppError(
      'denied',
      `Teams refused it: ${said}. The bot was removed or blocked there, or is not installed.`,
    );
  if (status === 404) return new AppError('not_found', `Teams has no such conversation or message: ${said}`);
  if (status === 413) return new AppError('too_large', `The message is too large for Teams: ${said}`);
  if (status === 500 || status === 503)
    return new AppError('unavailable', `Teams cannot take it at the moment: ${said}`);
  if (status >= 500 || status === 412) return new AppError('network', `Whether Teams took it is unknown: ${said}`);
  return new AppError('invalid', `Teams refused it: ${said}`, { details: { said } });
}
