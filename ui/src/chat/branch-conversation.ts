/** Starts a new conversation from a point of an existing one; the gateway creates it. */
import type { App } from '../app.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import type { ChatItem } from './items.ts';

/** False: there is none, and the person was told why. `before`: without the turn of `item`. */
export async function branchConversation(app: App, key: string, item: ChatItem, before: boolean): Promise<boolean> {
  if (item.entryId === undefined) return false;
  try {
    const branch = await app.request('sessions.branch', { key, entryId: item.entryId, before });
    await app.sessions.refresh();
    // The composer takes the draft of the conversation it is shown in.
    if (before && item.kind === 'person') app.chat.keep.saveDraft(branch.key, item.text);
    app.openSession(branch.key);
    return true;
  } catch (cause) {
    toast(`No branch was made: ${messageOf(cause)}`, 'bad');
    return false;
  }
}
