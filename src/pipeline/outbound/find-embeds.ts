/** Looks up what the embeds of an answer show: those that can be framed, and the others. */
import type { EmbedRequest, EmbedSource, ShownEmbed } from '../../core/canvas.ts';
import type { Turn } from '../../core/turn.ts';

/** More is no answer that people read. */
const MAX_EMBEDS = 20;

/** `embeds`: what the words ask for, then what tools have shown; of the same document the first counts. */
export async function findEmbeds(
  embeds: readonly EmbedRequest[],
  { route: { agentId, sessionKey } }: Pick<Turn, 'route'>,
  source: EmbedSource,
): Promise<{ readonly shown: readonly ShownEmbed[]; readonly others: readonly EmbedRequest[] }> {
  const results = await Promise.all(
    embeds.slice(0, MAX_EMBEDS).map(async (embed) => ({
      embed,
      found: await source.find(embed, { agentId, sessionKey }),
    })),
  );
  const shown = results.flatMap(({ found }) => found ?? []);
  return {
    shown: [
      ...new Map(shown.toReversed().map((one) => [one.preview.viewId ?? one.preview.url, one])).values(),
    ].reverse(),
    others: results.flatMap(({ embed, found }) => (found ? [] : [embed])),
  };
}

/** What is no document may be a file of the workspace. */
export const refsOf = (others: readonly EmbedRequest[]): readonly string[] =>
  others.flatMap(({ ref, url }) => (ref === undefined || url !== undefined ? [] : [ref]));

/** An address that is not framed stays an address. */
export const addressesOf = (others: readonly EmbedRequest[]): readonly { readonly embed: EmbedRequest }[] =>
  others.flatMap((embed) => (embed.url === undefined ? [] : [{ embed }]));
