/** Makes one HTTP request to the service of a channel, and returns its outcome, including unknown. */
import { parseJson } from '../core/parse-json.ts';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { readBody } from '../platform/bounded-body.ts';
import { neverSent } from './never-sent.ts';

/** A request. Redirects are not followed. */
export interface HttpCall {
  /** What the service is called in errors. */
  readonly service: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Never shown in an error: its query may hold a password. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, e.g. a form with files. */
  readonly body?: FormData | Uint8Array<ArrayBuffer> | string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the answer. Default: 8 MiB. */
  readonly maxBytes?: number;
}

/** Any status: the caller decides what it means. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Buffer;
  /** The body as JSON; undefined where it is none. */
  json(): unknown;
}

const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Rejects with `unavailable` where the request never left, `timeout` or `network` where its outcome is not known,
 * `too_large` where the answer is over `maxBytes`, and `aborted` where `signal` fired.
 */
export async function httpCall(call: HttpCall): Promise<HttpAnswer> {
  const { method = 'GET', url, headers = {}, json, body, maxBytes = MAX_BYTES } = call;
  const late = AbortSignal.timeout(call.timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, late]) : late;
  try {
    const response = await fetch(url, {
      method,
      signal,
      redirect: 'manual',
      headers: json === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...present({ body: json === undefined ? body : JSON.stringify(json) }),
    });
    const data = await readBody(response, { maxBytes, tooLarge: () => tooLarge(call.service, maxBytes) });
    return { status: response.status, headers: response.headers, data, json: () => parseJson(data.toString('utf8')) };
  } catch (error) {
    throw failure(call, error, late);
  }
}

const tooLarge = (service: string, maxBytes: number): AppError =>
  new AppError('too_large', `The answer of ${service} is larger than the limit of ${maxBytes} bytes.`);

function failure({ service, signal }: HttpCall, error: unknown, late: AbortSignal): AppError {
  if (error instanceof AppError) return error;
  // The words of the library may hold the address; only their kind is kept.
  const code = codeOf(error);
  const cause = new Error(code ?? (error instanceof Error ? error.name : 'unknown'));
  if (signal?.aborted) return new AppError('aborted', `The request to ${service} was cancelled.`, { cause });
  if (late.aborted) return new AppError('timeout', `${service} did not answer in time.`, { cause });
  if (neverSent(code)) return new AppError('unavailable', `${service} cannot be reached (${code}).`, { cause });
  return new AppError('network', `The connection to ${service} failed (${code ?? cause.message}).`, { cause });
}

function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth++) {
    const { code, errors } = at as { code?: unknown; errors?: readonly unknown[] };
    if (typeof code === 'string') return code;
    const inner = errors?.map(codeOf).find((one) => one !== undefined);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
