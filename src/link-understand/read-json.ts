/** Reads JSON behind a link: a JSON feed as a feed, other JSON as bullets. */
import { decodeBytes } from '../platform/charset/decode-bytes.ts';
import { isLikelyFeed } from '../documents/feed/is-likely-feed.ts';
import { jsonToBullets } from './json-to-bullets.ts';
import type { CachedFile } from './link-cache.ts';

export interface JsonReading {
  readonly title?: string;
  readonly author?: string;
  readonly date?: string;
  readonly text: string;
}

/** Undefined when it is no JSON, whatever the server calls it. The text may be longer than `maxChars`. */
export async function readJson({ body, charset, url }: CachedFile, maxChars: number): Promise<JsonReading | undefined> {
  const decoded = decodeBytes(body, charset === undefined ? {} : { declared: charset });
  if (!decoded) return undefined;
  if (isLikelyFeed(decoded.text)) {
    const { feedToMarkdown } = await import('../documents/feed/feed-to-markdown.ts');
    const feed = feedToMarkdown(decoded.text, { url, maxChars });
    if (feed) return { ...feed, text: feed.markdown };
  }
  const bullets = jsonToBullets(decoded.text, { maxChars });
  return bullets && { text: bullets.markdown };
}
