/** Sends a message to the agent on behalf of a connection. */
import { parseSessionKey } from '../../core/session-key.ts';
import type { ChatReceipt, ChatRequest } from '../../host/chat.ts';
import type { Call } from './method.ts';

/**
 * Nothing is awaited before the service is called: the message takes its place in the session in the order it arrived.
 * From before that until the run ends, what comes of it is this connection's own to hear.
 */
export async function sendAsOwn(call: Call, request: ChatRequest): Promise<ChatReceipt> {
  const { ownRuns } = call.connection;
  ownRuns.add(request.runId);
  try {
    const receipt = await call.services.chat.send(request);
    if (receipt.status === 'started') announceQuestion(call, receipt, request.text);
    if (receipt.status === 'done') ownRuns.delete(request.runId);
    return receipt;
  } catch (error) {
    ownRuns.delete(request.runId);
    throw error;
  }
}

/** Those who follow the session see the question before the answer. */
function announceQuestion({ hub, clock, services }: Call, { runId, sessionKey }: ChatReceipt, text: string): void {
  const message = {
    role: 'user' as const,
    content: [{ type: 'text' as const, text }],
    timestamp: clock.now(),
    __openclaw: { idempotencyKey: runId },
  };
  const agentId = parseSessionKey(sessionKey)?.agentId ?? services.agents.defaultId();
  hub.publish(
    'session.message',
    { sessionKey, agentId, runId, message },
    { to: ({ followedSessions }) => followedSessions.has(sessionKey) },
  );
}
