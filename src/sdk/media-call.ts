/**
 * Makes one request to a media vendor: sent once, response limited and validated, every failure one `AppError` without
 * secrets.
 */
import { parseJson } from '../core/parse-json.ts';
import type { z } from 'zod';
import { cut } from '../core/cut.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { MediaRequest } from '../core/media-provider.ts';
import type { ProviderSettings } from '../core/provider.ts';
import { readAtMost } from '../platform/bounded-body.ts';
import { redactText } from '../platform/redact.ts';
import { responseError } from './response-error.ts';
import { modelError, type ModelErrorContext } from './model-error.ts';

/** Always a POST. */
export interface VendorCall {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Its type is the content type. Never a `FormData`: stopping one while it is read is an unhandled rejection in Node
   * 24 (undici).
   */
  readonly body: Blob;
}

/** One call of a vendor for a file, with the shape its answer must have. */
export interface CallContext<Answer> {
  /** Opens every error: `openai transcription`. */
  readonly what: string;
  readonly settings: ProviderSettings;
  readonly request: MediaRequest;
  readonly shape: z.ZodType<Answer>;
}

const MAX_ANSWER = 4 * 1024 * 1024;
const MAX_COMPLAINT = 64 * 1024;
const SHOWN = 300;

/** Resolves with the answer in its expected shape. */
export async function askVendor<Answer>(
  call: VendorCall & { readonly key: Readonly<Record<string, string>> },
  context: CallContext<Answer>,
): Promise<{ answer: Answer; headers: Headers }> {
  const { what, settings, request, shape } = context;
  const init: RequestInit = {
    method: 'POST',
    headers: headersOf(call, settings),
    body: call.body,
    signal: request.signal,
    redirect: 'manual',
  };
  const { response, text, whole } = await exchange(call.url, init, {
    provider: settings.id,
    modelId: request.model,
    apiKey: settings.apiKey,
    signal: request.signal,
  });
  if (!response.ok) throw refused(response, text, context);
  if (!whole) throw new AppError('bad_response', `${what}: the response exceeded ${MAX_ANSWER} bytes.`);
  const read = shape.safeParse(parseJson(text));
  if (read.success) return { answer: read.data, headers: response.headers };
  throw new AppError('bad_response', `${what}: invalid response: ${shown(text, settings)}`);
}

/** `whole` is false when there was more than is read of an answer; the connection is closed then. */
async function exchange(
  url: URL,
  init: RequestInit,
  context: ModelErrorContext,
): Promise<{ response: Response; text: string; whole: boolean }> {
  try {
    const response = await fetch(url, init);
    const { bytes, whole } = await readAtMost(response.body, response.ok ? MAX_ANSWER : MAX_COMPLAINT);
    return { response, text: bytes.toString('utf8'), whole };
  } catch (error) {
    throw modelError(error, context);
  }
}

/** The settings win over everything, in whatever case they are written; only the boundary of a form is ours to name. */
function headersOf(
  { headers, key, body }: VendorCall & { readonly key: Readonly<Record<string, string>> },
  settings: ProviderSettings,
): Headers {
  const sent = new Headers({ 'content-type': body.type, ...headers });
  for (const [name, value] of [...Object.entries(key), ...Object.entries(settings.headers ?? {})]) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new AppError(
        'invalid',
        `The API key or the header ${JSON.stringify(name)} of ${settings.id} contains characters that are not ` +
          'allowed in headers.',
      );
    if (!body.type.startsWith('multipart/') || name.toLowerCase() !== 'content-type') sent.set(name, value);
  }
  return sent;
}

/** What a status means to a file rather than to a conversation. */
const OTHERWISE: Partial<Record<ErrorCode, ErrorCode>> = { context_overflow: 'too_large' };

function refused(response: Response, text: string, { what, settings, request }: CallContext<unknown>): AppError {
  const { status } = response;
  const seen = Object.assign(new Error(), {
    statusCode: status,
    responseBody: text,
    responseHeaders: Object.fromEntries(response.headers),
  });
  const { code, retryAfterMs } = modelError(seen, { provider: settings.id, modelId: request.model });
  const meant = status === 403 ? 'denied' : (OTHERWISE[code] ?? code);
  return new AppError(
    meant,
    `${what} failed (HTTP ${status}): ${shown(responseError(text), settings) || 'no reason given'}`,
    { retryAfterMs, details: { provider: settings.id, model: request.model, status } },
  );
}

/** What a vendor said, on one line, without secrets, up to 300 characters. */
export function shown(text: string, settings: ProviderSettings): string {
  const line = mask(
    text
      .slice(0, MAX_COMPLAINT)
      .replace(/[\s\x00-\x1f\x7f]+/g, ' ')
      .trim(),
    settings,
  );
  return cut(line, SHOWN);
}

/**
 * The text without the key, without what the settings' headers carry, and without anything else that looks like a
 * secret.
 */
function mask(text: string, { apiKey, headers }: ProviderSettings): string {
  const carried = Object.values(headers ?? {}).flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
  const secrets = [apiKey ?? '', ...carried].filter((secret) => secret.length >= 8).sort((a, b) => b.length - a.length);
  return redactText(secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text));
}
