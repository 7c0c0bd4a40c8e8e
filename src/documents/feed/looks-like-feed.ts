/** Tells a feed by its first characters, without loading what reads feeds. */

/** Looks at the beginning of a text only. */
export function looksLikeFeed(text: string): boolean {
  const head = text.slice(0, 4096);
  if (/^\uFEFF?\s*\{/.test(head)) return /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//.test(head);
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*|<\?[^>]*>\s*|<!DOCTYPE[^>]*>\s*)*<(?:rss|feed|rdf:RDF)[\s>]/i.test(head);
}
