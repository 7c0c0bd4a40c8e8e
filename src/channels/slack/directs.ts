/** Maps a person's id, which names a direct message here, to the conversation id Slack uses. */
import { AppError, type ChatAddress } from '../../sdk/index.ts';
import { recordOf, textOf } from './answer.ts';
import type { Api } from './api.ts';
import { bounded } from './names.ts';

export interface Directs {
  /** Slack's id of the chat. Where none may be opened it is the person's: enough to write, not to edit. */
  channelOf(chat: ChatAddress['chat']): Promise<string>;
  learn(user: string, channel: string): void;
}

export function createDirects(api: Api): Directs {
  const known = new Map<string, string>();
  return {
    learn: (user, channel) => void (channel.startsWith('D') && bounded(known, user, channel)),
    async channelOf({ kind, id }) {
      if (kind !== 'direct' || id.startsWith('D')) return id;
      const before = known.get(id);
      if (before) return before;
      const opened = await open(api, id);
      if (!opened) return id;
      bounded(known, id, opened);
      return opened;
    },
  };
}

async function open(api: Api, users: string): Promise<string | undefined> {
  try {
    return textOf(recordOf((await api.call('conversations.open', { users }))['channel'])['id']);
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return undefined; // without the scope `im:write`
    throw error;
  }
}
