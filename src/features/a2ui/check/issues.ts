/** Converts validation errors of a message into one line each, for the author of the message. */
import type { z } from 'zod';
import { head } from '../../../core/cut.ts';

/** What was read, or all that is wrong with it. */
export type Checked<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly string[] };

const MAX_ISSUES = 50;

/** Each issue with the place it is at: `surfaceUpdate.components[0].id: expected string, received number`. */
export const issuesOf = (at: string, error: z.ZodError, input?: unknown): readonly string[] =>
  error.issues.slice(0, MAX_ISSUES).map((issue) => `${at}${placeOf(issue.path)}: ${wordsOf(issue, input)}`);

const placeOf = (path: readonly PropertyKey[]): string =>
  head(path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join(''), 200);

function wordsOf(issue: z.core.$ZodIssue, input: unknown): string {
  if (issue.code === 'invalid_type') return missing(issue.path, input) ? 'is required' : plain(issue.message);
  if (issue.code === 'unrecognized_keys') return `unknown ${issue.keys.map((key) => `"${head(key, 60)}"`).join(', ')}`;
  return plain(issue.message);
}

const plain = (message: string): string => head(message.replace(/^Invalid (?:input|option): /, ''), 200);

function missing(path: readonly PropertyKey[], input: unknown): boolean {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    if (!Object.hasOwn(value, part)) return true;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return false;
}
