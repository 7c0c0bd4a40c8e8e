/** Collects group messages not addressed to the agent; the next addressed message includes them. */
import { setNewest } from '../../core/bounded-map.ts';
import { head } from '../../core/cut.ts';
import { maskedCommand } from '../../core/masked-command.ts';
import { dedupeId, type ChatAddress, type HistoryLine, type InboundMessage } from '../../core/message.ts';
import { senderLabel } from './envelope.ts';

/** Characters kept of one message; a prompt shows fewer. */
const MAX_CHARS = 2000;
/** And of one chat: a flood must not fill the memory. */
const MAX_CHARS_OF_CHAT = 100_000;
/** Chats remembered at the same time; the one longest unused goes first. */
const MAX_CHATS = 1000;

export type GroupHistory = ReturnType<typeof createGroupHistory>;

/** How many chats are remembered, and which of them share their messages. */
export interface GroupHistoryOptions {
  readonly maxChats?: number;
  /** The chat whose messages count: a thread may share those of the chat it hangs in. Absent: its own. */
  scopeOf?(address: ChatAddress): ChatAddress;
}

export function createGroupHistory({ maxChats = MAX_CHATS, scopeOf = (own) => own }: GroupHistoryOptions = {}) {
  const chats = new Map<string, Map<string, HistoryLine>>();
  return {
    /** The last `limit` lines are kept; 0: none. A message said again, or changed, keeps its place. */
    add(message: InboundMessage, limit: number): void {
      const key = chatOf(scopeOf(message.address));
      const lines = chats.get(key) ?? new Map<string, HistoryLine>();
      chats.delete(key);
      const text =
        maskedCommand(head(message.text, MAX_CHARS)).toWellFormed().trim() ||
        message.attachments.map(({ kind }) => `<media:${kind}>`).join(' ');
      if (limit <= 0 || text === '') return;
      lines.set(dedupeId(message), {
        sender: senderLabel(message.sender),
        text,
        at: message.receivedAt,
        id: message.id,
      });
      let chars = [...lines.values()].reduce((sum, line) => sum + line.text.length, 0);
      for (const [oldest, line] of lines) {
        if (lines.size <= limit && chars <= MAX_CHARS_OF_CHAT) break;
        lines.delete(oldest);
        chars -= line.text.length;
      }
      setNewest(chats, key, lines, maxChats);
    },

    /** The context for the next answer; kept until `clear`. */
    peek: (address: ChatAddress): readonly HistoryLine[] => [...(chats.get(chatOf(scopeOf(address)))?.values() ?? [])],
    clear: (address: ChatAddress): void => void chats.delete(chatOf(scopeOf(address))),
    get size(): number {
      return chats.size;
    },
  };
}

const chatOf = ({ channel, accountId, chat, threadId }: ChatAddress): string =>
  JSON.stringify([channel, accountId, chat.kind, chat.id, threadId]);
