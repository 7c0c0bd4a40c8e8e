/** The agent that handles a message, and its session. */
import type { ChatAddress } from './message.ts';
import type { SessionKey } from './session-key.ts';

/** Which agent answers, in which session, and where its replies go. */
export interface Route {
  readonly agentId: string;
  readonly sessionKey: SessionKey;
  /** Of a thread whose conversation begins with that of its chat: the session of the chat. */
  readonly parentKey?: SessionKey;
  readonly matchedBy: 'peer' | 'guild' | 'team' | 'account' | 'channel' | 'default' | 'session';
  /** A property of the inbound row: replies go here, always (P7). */
  readonly replyTo: ChatAddress;
}
