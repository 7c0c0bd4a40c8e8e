/** The sentences added for content the channel cannot show, so that nothing is dropped silently. Pure. */
import type { ReplyPayload } from '../../core/reply.ts';
import type { RefusedFile } from './reply-media.ts';

interface Unshown {
  readonly refused: readonly RefusedFile[];
  /** Where they are all there is; beside words the words do. */
  readonly embeds: NonNullable<ReplyPayload['embeds']>;
}

export function withUnshown(text: string, { refused, embeds }: Unshown): string {
  const lines = [...embeds.map(embedLine), ...refused.map(({ name, why }) => `(${name} was not sent: ${why}.)`)];
  return [...(text.trim() === '' ? [] : [text]), ...lines].join('\n');
}

/** An address can be opened anywhere; what lies in the gateway is seen there. */
function embedLine({ url, title }: NonNullable<ReplyPayload['embeds']>[number]): string {
  if (url !== undefined && /^https:\/\//i.test(url)) return title ? `${title}: ${url}` : url;
  return `(${title || 'This answer'} is shown in the Control UI only.)`;
}
