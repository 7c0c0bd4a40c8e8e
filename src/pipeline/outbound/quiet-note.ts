/** Writes unanswered messages to the session; the agent reads them in its next turn. */
import type { InboundRow } from '../../journal/rows.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';

export interface QuietNoteDeps {
  readonly sessions: Sessions;
  workspaceOf(agentId: string): string;
}

/** Once per message, over all runs of the gateway; resolves when it is on disk. */
export function createQuietNote({ sessions, workspaceOf }: QuietNoteDeps) {
  return async ({ runId, route, message, acceptedAt }: InboundRow, text: string): Promise<void> => {
    const session = await sessions.open(route.sessionKey, {
      channel: message.address.channel,
      cwd: workspaceOf(route.agentId),
      personal: false,
      parentKey: route.parentKey,
    });
    await session.transcript.append([
      {
        type: 'message',
        id: turnLineId(runId, 'note'),
        turnId: runId,
        message: { role: 'user', system: true, content: [{ type: 'text', text }], timestamp: acceptedAt },
      },
    ]);
    await session.transcript.sync();
  };
}
