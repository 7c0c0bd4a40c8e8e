/**
 * Parses `[embed ref="…" /]` and `[embed url="…"]…[/embed]` with their attributes; the content of a block is not shown.
 */
import { preferredHeightOf, type EmbedRequest } from '../canvas.ts';
import { present } from '../present.ts';
import type { Range } from './code-ranges.ts';

/** What is shown inside an answer: a document by its id, or an address. */
export type Embed = EmbedRequest;

/** An embed of the text, `length` characters long. */
export interface FoundEmbed {
  readonly length: number;
  readonly embed: Embed;
  /** It may be a block whose end has not come yet. */
  readonly isOpen: boolean;
  /** The offset up to which the text was read for the decision. */
  readonly until: number;
}

/** Characters of the opening tag, and of the block form with what stands in it. */
const MAX_OPENING = 4096;
const MAX_BLOCK = 20_000;
const OPENING = /^\[embed[ \t]([^\]\n]*)\]/i;
const BEGUN = /^\[(?:e|em|emb|embe|embed|embed[ \t][^\]\n]*)?$/i;
const ATTRIBUTE = /(?<![\w-])([\w-]{1,32})\s{0,8}=\s{0,8}(?:"([^"]*)"|'([^']*)')/g;
const SURFACE = 'assistant_message';

/** The embed that begins at `at`. An end of its block that lies in code ends nothing. */
export function embedAt(text: string, at: number, isCode: (at: number) => boolean): FoundEmbed | undefined {
  const opening = OPENING.exec(text.slice(at, at + MAX_OPENING));
  const embed = opening && embedOf(opening[1]!);
  if (!embed) return undefined;
  const opened = opening[0].length;
  if (opening[1]!.trimEnd().endsWith('/')) return { length: opened, embed, isOpen: false, until: at + opened };
  const next = nextMark(text, { from: at + opened, to: at + MAX_BLOCK }, isCode);
  return {
    length: next?.closes ? next.end - at : opened,
    embed,
    isOpen: next === undefined && text.length < at + MAX_BLOCK,
    until: next?.end ?? at + opened,
  };
}

/** Whether the text from `at` on is the beginning of what may become an embed. */
export const mayBecomeEmbed = (text: string, at: number): boolean =>
  text.length - at < MAX_OPENING && BEGUN.test(text.slice(at));

/** The end of the block, or the next embed, whichever comes first. */
function nextMark(
  text: string,
  { from, to }: Range,
  isCode: (at: number) => boolean,
): { closes: boolean; end: number } | undefined {
  for (const mark of text.slice(from, to).matchAll(/\[(\/embed\]|embed[ \t])/gi))
    if (!isCode(from + mark.index))
      return { closes: mark[1]!.startsWith('/'), end: from + mark.index + mark[0].length };
  return undefined;
}

/** Undefined: it names nothing to show, or another surface than the answer. */
function embedOf(attributes: string): Embed | undefined {
  const values = new Map<string, string>();
  for (const [, name = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    const value = (double ?? single ?? '').trim();
    if (value !== '') values.set(name.toLowerCase(), value);
  }
  const [ref, url, target] = [values.get('ref'), values.get('url'), values.get('target')];
  if ((ref === undefined && url === undefined) || (target !== undefined && target !== SURFACE)) return undefined;
  return present({ ref, url, title: values.get('title'), height: preferredHeightOf(values.get('height')) });
}
