/** Schema parts that the parameters of several methods share, and the text of validation errors. */
import { z } from 'zod';
import { isOwnRunId } from '../core/own-run-id.ts';

/** Some text, not empty. */
export const text = z.string().min(1);
/** A whole number from 0. */
export const count = z.number().int().min(0);
/** A whole number from 1. */
export const positive = z.number().int().min(1);
/** A time span, whole milliseconds from 0. */
export const milliseconds = z.number().int().min(0);
/** Ids the caller makes up; also the dedupe key, so it is bounded, and none that work of the gateway's own goes by. */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(512)
  .refine((id) => !isOwnRunId(id), "begins like the ids of the gateway's own runs; use one of yours, e.g. a UUID");
/** What a person or program says in one message: no model takes more, and longer ones hold up everybody else. */
export const messageText = z.string().max(4_000_000);
/** The key of a session in any spelling a client may use. */
export const sessionKey = z.string().min(1).max(512);
/** Accepted because the published protocol has it; this gateway does nothing with it. */
export const ignored = z.unknown().optional();

/** For methods that take nothing; unknown names are refused. */
export const noParams = z.strictObject({});

/** `sessionKey: expected string`, or `unknown property "x"`; one problem is enough to act on. */
export function describeProblem(error: z.ZodError): string {
  const issue = error.issues[0];
  if (!issue) return 'invalid';
  const at = issue.path.map(String).join('.');
  const what =
    issue.code === 'unrecognized_keys'
      ? `unknown property ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
      : issue.message.replace(/^Invalid input: /, '');
  return at ? `${at}: ${what}` : what;
}
