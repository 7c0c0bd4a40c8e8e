/** Delivers to built-in surfaces: the reply is added to the session's history once. */
import { OWN_CHANNEL } from '../../core/product.ts';
import type { OutboundMessage, ReplyPayload } from '../../core/reply.ts';
import type { Message } from '../../core/transcript.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { injected } from '../../sessions/injected.ts';

export interface ShowDeps {
  readonly sessions: Sessions;
  now(): number;
  /** What the person wrote, for answers that no turn put into the transcript. */
  said(runId: string): Promise<string | undefined>;
}

export function createShow({ sessions, now, said }: ShowDeps) {
  return async ({ token, runId, sessionKey, payload }: OutboundMessage): Promise<void> => {
    if (payload.kind === 'final') return; // the turn wrote its own answer there
    const known = await sessions.existing(sessionKey);
    const session = known ?? (await sessions.open(sessionKey, { channel: OWN_CHANNEL, cwd: '', personal: false }));
    const text = await said(runId);
    const line = (place: string, message: Message) => ({
      type: 'message' as const,
      id: turnLineId(token, place),
      turnId: runId,
      message,
      audience: 'person' as const,
    });
    const found: Message | undefined =
      text === undefined ? undefined : { role: 'user', content: [{ type: 'text', text }], timestamp: now() };
    await session.transcript.append([...(found ? [line('said', found)] : []), line('show', noticeOf(payload, now()))]);
    await session.transcript.sync();
  };
}

/** A failure keeps its mark, so that a client that comes later can still offer to try again. */
function noticeOf({ text = '', failed }: ReplyPayload, timestamp: number): Message {
  const notice = injected(text, timestamp);
  return failed ? { ...notice, stopReason: 'error', errorMessage: text.replace(/^⚠️ /, '') } : notice;
}
