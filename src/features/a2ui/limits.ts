/** Limits used in method schemas, in a file that loads no other code. */

/** Of one push; more is no user interface any more. */
export const MAX_JSONL_CHARS = 2 * 1024 * 1024;
