/** Starts a new conversation from a point of an existing one; the gateway creates it. */
import type { App } from '../app.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import type { ChatItem } from './items.ts';

/** False: it failed, and the error was shown. `before`: without the turn of `item`. */
export async function branchConversation(app: App, key: string, item: ChatItem, before: boolean): Promise<boolean> {
  if (item.entryId === undefined) return false;
  try {
    const branch = await app.request('sessions.branch', { key, entryId: item.entryId, before });
    await app.sessions.refresh();
    // Saved as a draft, because the composer reads the draft when it shows a conversation.
    if (before && item.kind === 'person') app.chat.keep.saveDraft(branch.key, item.text);
    app.openSession(branch.key);
    return true;
  } catch (cause) {
    toast(`No branch was made: ${messageOf(cause)}`, 'bad');
    return false;
  }
}
