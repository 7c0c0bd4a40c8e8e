/** Names what went wrong between us and a model vendor: any error the AI SDK lets out becomes one `AppError`. */
import { AppError, type ErrorCode } from '../../core/errors.ts';

interface Facts { readonly status?: number; readonly text: string; readonly name: string; readonly retryAfterMs?: number }

/** Ordered: the first pattern that matches the vendor's words decides. */
const BY_WORDS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/context[_ ]length|context[_ ]window|maximum context|prompt is too long|input is too long|too many (input )?tokens|token count.{0,40}exceeds|exceeds? the (model|maximum).{0,30}(token|context)|request_too_large/i, 'context_overflow'],
  [/insufficient_quota|credit balance|billing|payment required/i, 'denied'],
  [/rate.?limit|too many requests|resource_exhausted|quota/i, 'rate_limited'],
  [/overloaded|service unavailable|\bunavailable\b|high demand|at capacity/i, 'overloaded'],
  [/invalid.{0,3}api.?key|api key not valid|authentication_error|unauthori[sz]ed|api key is missing|incorrect api key/i, 'auth'],
  [/permission_error|permission_denied|forbidden/i, 'denied'],
  [/model_not_found|not_found_error|unknown model|no such model|model .{0,80}(not found|does not exist)/i, 'not_found'],
  [/fetch failed|cannot connect|terminated|econn|enotfound|eai_again|epipe|socket|other side closed|network/i, 'network'],
  [/timed? ?out|timeout/i, 'timeout'],
];

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid', 401: 'auth', 402: 'denied', 403: 'denied', 404: 'not_found', 408: 'timeout', 409: 'bad_response', 413: 'context_overflow',
  422: 'invalid', 429: 'rate_limited', 503: 'overloaded', 504: 'timeout', 529: 'overloaded',
};

const BY_NAME: Readonly<Record<string, ErrorCode>> = {
  AI_LoadAPIKeyError: 'auth', AI_NoSuchModelError: 'not_found', AI_UnsupportedFunctionalityError: 'unsupported', AI_JSONParseError: 'bad_response',
  AI_TypeValidationError: 'bad_response', AI_InvalidResponseDataError: 'bad_response', AI_EmptyResponseBodyError: 'bad_response', AI_NoContentGeneratedError: 'bad_response',
};

/** `model` is `provider/model`, for the message. */
export function modelError(error: unknown, model: string): AppError {
  if (error instanceof AppError) return error;
  const facts = factsOf(error);
  const code = codeOf(facts);
  const status = facts.status === undefined ? '' : ` answered HTTP ${facts.status}`;
  return new AppError(code, `${model}${status}: ${speakable(facts.text) || 'no explanation given'}`, {
    cause: error, retryAfterMs: facts.retryAfterMs, details: { model, ...(facts.status === undefined ? {} : { status: facts.status }) },
  });
}

/** The status comes first where it says enough; words decide between the meanings vendors give to 400, 403, 429 and 5xx. */
function codeOf({ status, text, name }: Facts): ErrorCode {
  const named = BY_NAME[name];
  if (named) return named;
  const worded = BY_WORDS.find(([pattern]) => pattern.test(text))?.[1];
  if (status === undefined || status < 400) return worded ?? 'bad_response';
  if (status === 429) return worded === 'denied' ? 'denied' : 'rate_limited';
  if (status === 400 || status === 403) return worded === 'context_overflow' || worded === 'auth' || worded === 'not_found' ? worded : BY_STATUS[status]!;
  if (status >= 500) return BY_STATUS[status] ?? (worded === 'overloaded' || worded === 'rate_limited' ? worded : 'bad_response');
  return BY_STATUS[status] ?? 'invalid';
}

/** Errors of the AI SDK, of fetch, and the bare objects vendors send inside a stream, read without trusting their shape. */
function factsOf(error: unknown): Facts {
  const record = asRecord(error);
  const status = numberOf(record['statusCode']) ?? numberOf(record['status']) ?? numberOf(record['code']);
  const body = typeof record['responseBody'] === 'string' ? record['responseBody'].slice(0, 4000) : '';
  const retryAfterMs = retryAfterOf(asRecord(record['responseHeaders']), body);
  return {
    name: typeof record['name'] === 'string' ? record['name'] : '',
    text: [...new Set([...wordsOf(error), body && wordsOfBody(body)])].filter(Boolean).join(' · '),
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function wordsOf(error: unknown, depth = 0): string[] {
  if (typeof error === 'string') return [error];
  const { type, code, status, message, error: inner, cause } = asRecord(error);
  const own = [type, code, status, message].filter((word): word is string => typeof word === 'string' && word !== 'error');
  return depth < 3 ? [...own, ...(inner ? wordsOf(inner, depth + 1) : []), ...(cause ? wordsOf(cause, depth + 1) : [])] : own;
}

/** The vendor's JSON error body, or its beginning when it is something else (a proxy's HTML page). */
function wordsOfBody(body: string): string {
  try {
    return wordsOf(JSON.parse(body)).join(' · ');
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').slice(0, 200);
  }
}

/** `retry-after-ms`, `retry-after` in seconds or as a date (RFC 9110 10.2.3), or Google's `retryDelay` in the body. */
function retryAfterOf(headers: Record<string, unknown>, body: string): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers['retry-after'];
  if (typeof after === 'string' && after.trim()) {
    const seconds = Number(after);
    const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after) - Date.now();
    if (Number.isFinite(wait)) return Math.max(0, wait);
  }
  const delay = /"retryDelay"\s*:\s*"([\d.]+)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Number(delay) * 1000;
}

/** Short, one line, and without anything that looks like a key: some vendors quote it back. */
function speakable(text: string): string {
  const clean = text.replace(/\b(sk|pk|rk|gsk|xai|key|AIza|Bearer)[-_ ]?[\w*.-]{8,}/gi, '[key]').replace(/\s+/g, ' ').trim();
  return clean.length > 400 ? `${clean.slice(0, 400)}…` : clean;
}

const asRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && Number.isInteger(value) ? value : undefined);
