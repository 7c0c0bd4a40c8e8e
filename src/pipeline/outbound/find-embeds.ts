/** Looks up what the embeds of an answer show: those that can be framed, and the others. */
import type { EmbedRequest, EmbedSource, ShownEmbed } from '../../core/canvas.ts';
import type { Turn } from '../../core/turn.ts';

/** More is no answer that people read. */
const MAX_EMBEDS = 20;

export async function findEmbeds(
  embeds: readonly EmbedRequest[],
  { route: { agentId, sessionKey } }: Pick<Turn, 'route'>,
  source: EmbedSource,
): Promise<{ readonly shown: readonly ShownEmbed[]; readonly others: readonly EmbedRequest[] }> {
  const looked = await Promise.all(
    embeds
      .slice(0, MAX_EMBEDS)
      .map(async (embed) => ({ embed, found: await source.find(embed, { agentId, sessionKey }) })),
  );
  return {
    shown: looked.flatMap(({ found }) => found ?? []),
    others: looked.flatMap(({ embed, found }) => (found ? [] : [embed])),
  };
}
