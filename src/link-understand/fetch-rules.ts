/** The exceptions from the public internet rule that the gateway passes to its commands. */
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { FetchRules } from '../platform/net/guard/guard.ts';

/** Set by the gateway from `security.fetch`; also for people who call the command themselves. */
export const FETCH_RULES_VARIABLE = 'CLAWDBOT_FETCH_RULES';

/**
 * Unset: nothing private. Throws `AppError('invalid')` for what is not such rules: a misspelt exception must not pass
 * for none.
 */
export function readFetchRules(json: string | undefined): FetchRules {
  if (json === undefined) return { allowHosts: [], allowRanges: [] };
  const input = parsed(json);
  const { allowHosts = [], allowRanges = [], fakeIpRange } = input;
  if (!isTexts(allowHosts) || !isTexts(allowRanges) || (fakeIpRange !== undefined && typeof fakeIpRange !== 'string'))
    throw wrong();
  return present({ allowHosts, allowRanges, fakeIpRange });
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrong(error);
  }
  throw wrong();
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const wrong = (cause?: unknown): AppError =>
  new AppError(
    'invalid',
    `${FETCH_RULES_VARIABLE} is JSON like {"allowHosts":["wiki.corp.example"],"allowRanges":["10.20.0.0/16"]}`,
    { cause },
  );
