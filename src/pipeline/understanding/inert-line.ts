/** Makes a name or an error text from outside safe to stand inside a sentence of ours. */

/** One line, no tags, and nothing that closes the brackets or quotes around it. */
export const inertLine = (text: string): string =>
  text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[[<]/g, '(').replace(/[\]>]/g, ')').replaceAll('"', "'").trim();
