/** Converts any error of a model library to one `AppError` that says who failed, why, and what to do. */
import { excerpt } from '../core/cut.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { redactText } from '../platform/redact.ts';
import { responseError } from './response-error.ts';

/** What an error of a model names, and what it must not show. */
export interface ModelErrorContext {
  /** `models.providers.<id>`. */
  readonly provider: string;
  readonly modelId: string;
  /** Environment variables that may carry the key, for the advice. */
  readonly envKeys?: readonly string[] | undefined;
  /** Removed from every text, should a server echo it; so are other things that look like secrets. */
  readonly apiKey?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What can be read off the error shapes of the AI SDK, of the vendors' error events, and of fetch. */
interface Facts {
  readonly name: string;
  readonly message: string;
  readonly status: number | undefined;
  /** The vendor's own words: type, code, body; lower case. */
  readonly words: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Error codes of the whole chain of causes. */
  readonly systemCodes: readonly string[];
}

/** Never throws. An abort is `timeout` when the signal says so, else `aborted`. */
export function modelError(error: unknown, context: ModelErrorContext): AppError {
  const own = ownError(error);
  if (own) return own;
  const stopped = stoppedBySignal(error, context.signal);
  if (stopped) return stopped;
  const facts = factsOf(error);
  const code = codeOf(facts);
  const hidden = (text: string): string =>
    redactText(context.apiKey && context.apiKey.length >= 8 ? text.replaceAll(context.apiKey, '***') : text);
  return new AppError(code, hidden(explain(code, facts, context)), {
    cause: Object.assign(new Error(hidden(excerpt(`${facts.message} ${facts.words}`, 600))), { name: facts.name }),
    retryAfterMs: retryAfterMs(facts),
    details: present({
      provider: context.provider,
      model: context.modelId,
      status: facts.status,
      aboutPictures: isAboutPictures(code, facts) ? true : undefined,
    }),
  });
}

/** What this product said itself, in the wrapping of a library. */
function ownError(error: unknown): AppError | undefined {
  for (let [one, depth] = [error, 0]; one instanceof Error && depth < 8; one = one.cause, depth++)
    if (one instanceof AppError) return one;
  return undefined;
}

function stoppedBySignal(error: unknown, signal: AbortSignal | undefined): AppError | undefined {
  const name = error instanceof Error ? error.name : '';
  if (!signal?.aborted && name !== 'AbortError' && name !== 'TimeoutError') return undefined;
  const reason: unknown = signal?.aborted ? signal.reason : error;
  if (reason instanceof AppError) return reason;
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  return timedOut
    ? new AppError('timeout', 'The model did not respond in time.', { cause: reason })
    : new AppError('aborted', 'The model call was stopped.', { cause: reason });
}

const OVERFLOW =
  /context[ _-]?(length|window)|maximum context|prompt is too long|input is too long|too many (input )?tokens|exceeds? the (maximum|max|context|limit of) [^\n]{0,300}token|input token count [^\n]{0,300} exceeds/;
const NO_CREDIT = /insufficient_quota|billing|credit balance|payment required|quota_exceeded[^\n]{0,300}plan/;
const BAD_KEY =
  /api[ _-]?key (not valid|invalid|expired)|invalid (x-)?api[ _-]?key|incorrect api key|api_key_invalid|authentication_error/;
const PICTURES = /\bimages?\b|image_|\bpictures?\b|inline_?data|media[_ -]?type|mime[_ -]?type/;
const TIMEOUT_CODES = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'];
const NONSENSE = [
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
];

function codeOf(facts: Facts): ErrorCode {
  const { status, words, name } = facts;
  if (name === 'AI_UnsupportedFunctionalityError') return 'unsupported';
  if (name === 'AI_InvalidPromptError' || name === 'AI_InvalidArgumentError') return 'invalid';
  if (name === 'AI_LoadAPIKeyError') return 'auth';
  if (facts.systemCodes.some((code) => TIMEOUT_CODES.includes(code))) return 'timeout';
  if (NONSENSE.includes(name)) return 'bad_response';
  if (/overloaded/.test(words) && (status === undefined || status >= 500)) return 'overloaded';
  if (status !== undefined && status >= 400) return codeOfStatus(status, words);
  if (status !== undefined) return facts.systemCodes.length > 0 ? 'network' : 'bad_response';
  if (/rate_limit|resource_exhausted|too_many_requests/.test(words)) return 'rate_limited';
  if (OVERFLOW.test(words)) return 'context_overflow';
  if (
    facts.systemCodes.length > 0 ||
    name === 'AI_APICallError' ||
    /terminated|fetch failed|socket|connection/i.test(facts.message)
  )
    return 'network';
  return 'bad_response';
}

function codeOfStatus(status: number, words: string): ErrorCode {
  if (status === 402 || (NO_CREDIT.test(words) && status < 500)) return 'denied';
  if (status === 401 || status === 403 || (status === 400 && BAD_KEY.test(words))) return 'auth';
  if (status === 429) return 'rate_limited';
  if ((status === 400 || status === 413 || status === 422) && OVERFLOW.test(words)) return 'context_overflow';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 413) return 'too_large';
  if (status === 503 || status === 529) return 'overloaded';
  return status >= 500 ? 'bad_response' : 'invalid';
}

/** The request was refused for what a picture in it is: without the picture it may be taken. */
const isAboutPictures = (code: ErrorCode, { words }: Facts): boolean =>
  ['invalid', 'unsupported', 'too_large', 'not_found'].includes(code) && PICTURES.test(words);

/** One sentence a person can act on. The vendor's words are left out where they may repeat the key. */
function explain(code: ErrorCode, facts: Facts, { provider, modelId, envKeys }: ModelErrorContext): string {
  const ref = `${provider}/${modelId}`;
  const words = responseError(facts.message);
  const said = words ? `: ${excerpt(words, 300)}` : '';
  const status = facts.status === undefined ? '' : ` (${facts.status})`;
  switch (code) {
    case 'auth': {
      const check = `Check models.providers.${provider}.apiKey${envKeys?.length ? ` or ${envKeys.join(' / ')}` : ''}`;
      // The key may be right and not enough: a model, a region, a proxy in between.
      return facts.status === 403 && !BAD_KEY.test(facts.words)
        ? `${provider} refused access${status}${said.replace(/\.$/, '')}. ${check} and the permissions of the key.`
        : `${provider} refused the API key${status}. ${check}.`;
    }
    case 'denied':
      return `${provider} has no credit or quota left for this account${status}${said}`;
    case 'rate_limited':
      return `${provider} limits the rate of requests${status}${said}`;
    case 'overloaded':
      return `${provider} is overloaded${status}${said}`;
    case 'not_found':
      return `${provider} has no model "${modelId}", or the base URL is wrong${status}${said}`;
    case 'context_overflow':
      return `The conversation is too long for ${ref}${status}${said}`;
    case 'timeout':
      return `${provider} did not answer in time${status}${said}`;
    case 'network':
      return `The connection to ${provider} failed or ended early${said}`;
    case 'bad_response':
      if ((facts.status ?? 0) >= 500) return `${provider} returned a server error${status}${said}`;
      return `${provider} returned an invalid response${status}${said}`;
    default:
      return `${ref} refused the request${status}${said}`;
  }
}

/** `retry-after-ms`, `retry-after` (seconds or a date), Google's `retryDelay`, or "try again in 1.5s". */
function retryAfterMs({ headers, words, status }: Facts): number | undefined {
  const exact = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] && Number.isFinite(exact)) return Math.max(0, exact);
  const after = headers['retry-after'];
  if (after) {
    const ms = Number.isFinite(Number(after)) ? Number(after) * 1000 : Date.parse(after) - Date.now();
    if (Number.isFinite(ms)) return Math.max(0, Math.round(ms));
  }
  const stated = status === 429 ? /(?:"retrydelay"\s*:\s*"|try again in )([\d.]+)(ms|s)/.exec(words) : null;
  return stated ? Math.round(Number(stated[1]) * (stated[2] === 'ms' ? 1 : 1000)) : undefined;
}

function factsOf(error: unknown): Facts {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const message =
    error instanceof Error ? error.message : String(fields['message'] ?? (typeof error === 'string' ? error : ''));
  const words = [
    fields['type'],
    fields['code'],
    message,
    fields['responseBody'],
    fields['data'] && safeJson(fields['data']),
  ]
    .filter(Boolean)
    .join(' ')
    .toLowerCase();
  return {
    name: error instanceof Error ? error.name : 'ModelStreamError',
    message,
    status: statusOf(fields),
    words,
    headers: (fields['responseHeaders'] as Record<string, string> | undefined) ?? {},
    systemCodes: systemCodes(error),
  };
}

/** A status code wherever the libraries put it; error events of compatible servers carry it as `code`. */
function statusOf(fields: Record<string, unknown>): number | undefined {
  for (const value of [fields['statusCode'], fields['status'], fields['code']]) {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 100 && status <= 599) return status;
  }
  return undefined;
}

function systemCodes(error: unknown, depth = 0): readonly string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const code = (error as { code?: unknown }).code;
  return [
    ...(typeof code === 'string' && /^[A-Z][A-Z_]+$/.test(code) ? [code] : []),
    ...systemCodes(error.cause, depth + 1),
  ];
}

function safeJson(value: unknown): string {
  return excerpt(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '',
    2000,
  );
}
