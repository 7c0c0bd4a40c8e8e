/** Drives the browser of another machine through its control service. */
import { AppError, type ErrorCode } from '../../../core/errors.ts';
import { readBody } from '../../../platform/bounded-body.ts';
import type { Params } from '../web-page/act-request.ts';
import type { BrowserCall } from '../routes/route.ts';
import { present } from '../../../core/present.ts';

const MAX_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 150_000;
const CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'auth',
  403: 'denied',
  404: 'not_found',
  409: 'conflict',
  501: 'unsupported',
  507: 'storage',
};

/** Rejects with the error of the other machine, or with `network`. */
export async function callRemoteBrowser(
  origin: string,
  {
    call,
    token,
    signal,
  }: { readonly call: BrowserCall; readonly token: string | undefined; readonly signal: AbortSignal },
): Promise<Params> {
  const url = new URL(call.path, origin);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, String(value));
  const files = call.files?.map(({ name, mimeType, buffer }) => ({ name, mimeType, data: buffer.toString('base64') }));
  const body = { ...call.body, ...present({ files }) };
  try {
    const response = await fetch(url, {
      method: call.method,
      headers: {
        'content-type': 'application/json',
        ...present({ authorization: token && `Bearer ${token}` }),
      },
      ...present({ body: call.method === 'GET' ? undefined : JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const tooLarge = (): AppError => new AppError('bad_response', 'The control service answers too much.');
    const answer = JSON.parse(
      (await readBody(response as never, { maxBytes: MAX_BYTES, tooLarge })).toString('utf8'),
    ) as Params;
    if (response.ok) return answer;
    throw new AppError(
      CODES[response.status] ?? 'bad_response',
      String(answer['error'] ?? `It answered ${response.status}.`),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    signal.throwIfAborted();
    throw new AppError('network', `The browser control service at ${url.host} does not answer as it should.`, {
      cause: error,
    });
  }
}
