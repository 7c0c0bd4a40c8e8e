/** Limits that whoever describes a method needs without its code. */

/** Of one push; more is no user interface any more. */
export const MAX_JSONL_CHARS = 2 * 1024 * 1024;
