/** The sentences added for content the channel cannot show, so that nothing is dropped silently. Pure. */
import type { EmbedRequest, ShownEmbed } from '../../core/canvas.ts';
import type { RefusedFile } from './reply-media.ts';

interface Unshown {
  readonly refused: readonly RefusedFile[];
  /** What only clients of the product itself frame; `found`: it is there. */
  readonly embeds: readonly { readonly embed: EmbedRequest; readonly found?: ShownEmbed }[];
}

export function withUnsupported(text: string, { refused, embeds }: Unshown): string {
  const lines = [...embeds.map(embedLine), ...refused.map(({ name, why }) => `(${name} was not sent: ${why}.)`)];
  return [...(text.trim() === '' ? [] : [text]), ...lines].join('\n');
}

/** An address can be opened anywhere; what lies in the gateway is seen there. */
function embedLine({ embed, found }: Unshown['embeds'][number]): string {
  const title = embed.title ?? found?.preview.title;
  const address = found?.link ?? [embed.url, found?.preview.url].find((url) => url && /^https:\/\//i.test(url));
  if (address !== undefined) return title ? `${title}: ${address}` : address;
  return `(${title || 'This answer'} is shown in the Control UI only.)`;
}
