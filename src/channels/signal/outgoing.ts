/** Chat operations other than sending: reactions, deletions, typing, receipts, downloads. */
import { AppError, present, setNewest, type ChannelConnection, type ChatAddress } from '../../sdk/index.ts';
import { bareId, readMessageId, recipientOf } from './ids.ts';
import type { Rpc } from './rpc.ts';
import { noted, ownTime } from './send.ts';
import type { Sent } from './sent.ts';

const MAX_REACTIONS = 1000;
/** Taking a reaction away takes any emoji. */
const ANY_EMOJI = '👍';

export type Outgoing = Required<Pick<ChannelConnection, 'remove' | 'react' | 'typing' | 'download'>>;

export function createOutgoing(rpc: Rpc, account: string, sent: Pick<Sent, 'note'>): Outgoing {
  const names = new Map<string, string>();
  return {
    async remove(to, id) {
      await noted(sent, to, rpc.call('remoteDelete', { ...recipientOf(to), targetTimestamp: ownTime(id) }));
    },
    async react(to, id, emoji, { remove = false } = {}) {
      const target = readMessageId(id);
      if (!target) throw new AppError('not_found', `Signal has no message ${id.slice(0, 40)}.`);
      const away = remove || emoji === '';
      const params = present({
        ...recipientOf(to),
        emoji: emoji || names.get(id) || ANY_EMOJI,
        targetAuthor: target.author === undefined ? account : bareId(target.author),
        targetTimestamp: target.timestamp,
        remove: away || undefined,
      });
      await noted(sent, to, rpc.call('sendReaction', params));
      if (away) names.delete(id);
      else setNewest(names, id, emoji, MAX_REACTIONS);
    },
    async typing(to: ChatAddress) {
      await rpc.call('sendTyping', recipientOf(to));
    },
    async download(ref, { maxBytes, signal }) {
      const [id = '', kind = '', chat = ''] = ref.split(' ');
      const tooLarge = (): AppError =>
        new AppError('too_large', `The file is larger than the limit of ${maxBytes} bytes.`);
      const where = kind === 'group' ? { groupId: chat } : { recipient: chat };
      const answer = await rpc
        .call('getAttachment', { id, ...where }, { signal, maxBytes: Math.ceil(maxBytes * 1.4) + 4096 })
        .catch((error: unknown) => {
          throw error instanceof AppError && error.code === 'too_large' ? tooLarge() : error;
        });
      const { data } = (answer ?? {}) as { readonly data?: unknown };
      if (typeof data !== 'string') throw new AppError('not_found', 'signal-cli has this file no longer.');
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length > maxBytes) throw tooLarge();
      return { data: bytes };
    },
  };
}
