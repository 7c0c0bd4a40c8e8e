/** The bare links of a message: what a person wrote out, not what Markdown or HTML marks up. Pure. */
import { hasMarkup, splitBareText, type Markup, type Piece } from './bare-text.ts';
import { findUrls } from './find-urls.ts';
import { mayHoldLinks } from './may-hold-links.ts';
import { windowsOf } from './windows.ts';

export interface DetectedLink {
  /** As written; what a command is given. */
  readonly url: string;
  readonly href?: string;
  /** Why it is not used; absent for a link that is. */
  readonly reason?: string;
}

export interface DetectOptions {
  /** Maximum number of links to find; the rest of the text is not searched. */
  readonly limit: number;
  /** Also tell what is not used, and why. */
  readonly explain?: boolean;
}

/** Characters of text with markup that are parsed at most; a message of ordinary size never comes near. */
const PARSE_BUDGET = 32 * 1024;
/** Addresses that are checked, usable or not. */
const MAX_EXAMINED = 2000;

/** In the order of the text; each address once, by its normalized form. */
export function detectLinks(text: string, { limit, explain = false }: DetectOptions): DetectedLink[] {
  const links: DetectedLink[] = [];
  const seen = new Set<string>();
  let examined = 0;
  let usable = 0;
  for (const { text: run, inside } of piecesOf(text)) {
    if (!mayHoldLinks(run) || (inside && !explain)) continue;
    for (const found of findUrls(run)) {
      if (++examined > MAX_EXAMINED) return links;
      const link = classify(found, inside, seen);
      if (!link.reason || explain) links.push(link);
      if (!link.reason && ++usable >= limit) return links;
    }
  }
  return links;
}

function classify(found: DetectedLink, inside: Markup | undefined, seen: Set<string>): DetectedLink {
  if (inside) return { url: found.url, reason: `inside ${inside}` };
  if (found.reason) return found;
  if (seen.has(found.href!)) return { ...found, reason: 'the same as an earlier one' };
  seen.add(found.href!);
  return found;
}

function* piecesOf(text: string): Generator<Piece> {
  let parsed = 0;
  for (const window of windowsOf(text)) {
    if (window.inside || !hasMarkup(window.text)) {
      yield window;
      continue;
    }
    parsed += window.text.length;
    if (parsed > PARSE_BUDGET) return;
    yield* splitBareText(window.text);
  }
}
