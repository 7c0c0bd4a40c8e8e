/** The REST API of a BlueBubbles server. The URL contains its password and is never shown. */
import { AppError, head, httpCall, present, type HttpCall } from '../../sdk/index.ts';

export interface BlueApi {
  /** `data` of the answer. Rejects with `AppError`; `network` and `timeout`: the outcome is not known. */
  call(path: string, request?: BlueRequest): Promise<unknown>;
  /** A file. */
  file(
    path: string,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<{ readonly data: Uint8Array; readonly mime?: string }>;
}

export interface BlueRequest extends Pick<HttpCall, 'method' | 'json' | 'body' | 'signal'> {
  /** Sending waits for Messages. */
  readonly timeoutMs?: number;
}

export interface BlueOptions {
  readonly url: string;
  readonly password: string;
  onAuthError(error: AppError): void;
}

const SERVICE = 'BlueBubbles';
const CALL_MS = 30_000;

interface BlueAnswer {
  readonly data?: unknown;
  readonly message?: string;
  readonly error?: { readonly type?: string; readonly error?: string; readonly message?: string };
}

export function createBlueApi({ url, password, onAuthError }: BlueOptions): BlueApi {
  const root = url.replace(/(?<!\/)\/+$/, '');
  const address = (path: string): string =>
    `${root}/api/v1/${path}${path.includes('?') ? '&' : '?'}password=${encodeURIComponent(password)}`;

  const refused = (path: string, status: number, body: BlueAnswer | undefined): AppError => {
    const error = refusal(path.split('?', 1)[0]!, status, body);
    if (error.code === 'auth') onAuthError(error);
    return error;
  };
  return {
    async call(path, { timeoutMs = CALL_MS, ...request } = {}) {
      const answer = await httpCall({ service: SERVICE, url: address(path), timeoutMs, ...request });
      const body = answer.json() as BlueAnswer | undefined;
      if (answer.status !== 200) throw refused(path, answer.status, body);
      if (typeof body !== 'object' || body === null)
        throw new AppError('network', `${SERVICE} gave no answer that makes sense.`);
      return body.data;
    },
    async file(path, { maxBytes, signal }) {
      const answer = await httpCall({ service: SERVICE, url: address(path), timeoutMs: 120_000, maxBytes, signal });
      if (answer.status !== 200) throw refused(path, answer.status, answer.json() as BlueAnswer | undefined);
      const mime = answer.headers.get('content-type')?.split(';', 1)[0];
      return { data: answer.data, ...present({ mime: mime || undefined }) };
    },
  };
}

export const PASSWORD_FIX =
  'BlueBubbles does not accept the password: set the server password of BlueBubbles in channels.imessage.password, ' +
  'passwordFile or BLUEBUBBLES_PASSWORD.';

function refusal(path: string, status: number, body: BlueAnswer | undefined): AppError {
  const said = head(
    [body?.message, body?.error?.error ?? body?.error?.message].filter(Boolean).join(': ') || 'no reason given',
    300,
  );
  if (status === 401 || status === 403) return new AppError('auth', PASSWORD_FIX);
  if (status === 429)
    return new AppError('rate_limited', `BlueBubbles asks to wait (${said}).`, { retryAfterMs: 5000 });
  if (status === 404) return new AppError('not_found', `BlueBubbles ${path}: ${said}`);
  if (/private.?api/i.test(said))
    return new AppError(
      'unsupported',
      `${path} needs the Private API of BlueBubbles, which is off on the Mac. (${said})`,
    );
  if (/already queued/i.test(said)) return new AppError('network', `BlueBubbles still works on this message: ${said}`);
  if (status === 400) return new AppError('invalid', `BlueBubbles refused ${path}: ${said}`, { details: { said } });
  if (/not registered|not (?:on|an) imessage|error code: 22\b/i.test(said))
    return new AppError('denied', `The message cannot be delivered: ${said}`, { details: { said } });
  // After a failed send nobody knows whether Messages took it.
  return new AppError('network', `BlueBubbles could not finish ${path}: ${said}`);
}
