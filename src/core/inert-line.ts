/** Makes external names and error texts safe to insert into a sentence. */

import { cut } from './cut.ts';

/** One line, no tags, and nothing that closes the brackets or quotes around it. */
export const inertLine = (text: string): string =>
  text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[[<]/g, '(')
    .replace(/[\]>]/g, ')')
    .replaceAll('"', "'")
    .trim();

/** A file's name in quotes, short enough for a sentence. */
export const quotedName = ({ name }: { readonly name: string }): string => `"${inertLine(cut(name, 80))}"`;
