/** Detects a feed by its first characters, without loading a parser. */

/** Looks at the beginning of a text only. */
export function isLikelyFeed(text: string): boolean {
  const head = text.slice(0, 4096);
  if (/^\uFEFF?\s*\{/.test(head)) return /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(head);
  // Each comment ends at its first mark: a lazy pattern would try every mark of every comment.
  return /^\uFEFF?\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*|<\?[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/i.test(
    head,
  );
}
