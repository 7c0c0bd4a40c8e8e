/** `/approve` and `/elevated`: what people may decide from a chat, and who of them. */
import { AppError } from '../../core/errors.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { CommandCall } from '../../pipeline/commands/command.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { CommandHands } from '../command-host.ts';
import type { Hands, HandsDeps } from './hands.ts';

export interface CommandHandsDeps {
  readonly hands: Hands;
  readonly sessions: Sessions;
  config: HandsDeps['config'];
}

export function createCommandHands({ hands, sessions, config }: CommandHandsDeps): CommandHands {
  const requireApprover = (call: CommandCall): void => {
    if (mayApprove(call, config())) return;
    const setting = `tools.exec.approvers.${call.row.message.address.channel}`;
    throw new AppError('denied', `you may not answer approvals here. Use the Control UI or \`clawdbot approvals\`, or list this sender under ${setting}.`);
  };
  return {
    async approve(call, id, decision) {
      requireApprover(call);
      const { channel } = call.row.message.address;
      const { decision: done } = hands.pending.resolve(id, decision, `${channel} ${call.row.message.sender.id}`);
      return done === 'deny' ? `Denied ${id}.` : `Approved ${id} (${done}).`;
    },

    approvals(call) {
      requireApprover(call);
      return hands.pending.list().map(({ slug, command, agentId }) => `${slug} (${agentId}): ${command}`);
    },

    async elevate(call, level) {
      const { sessionKey } = call;
      const agentId = sessions.agentOf(sessionKey);
      const entry = sessions.peek(sessionKey);
      const standing = entry?.elevatedLevel ?? config().agents.defaults.elevatedDefault;
      if (level === undefined) return `Elevated is ${standing}.`;
      if (level !== 'off') {
        const { runId, message, rights } = call.row;
        const route = { agentId, sessionKey: sessionKey as SessionKey, matchedBy: 'session', replyTo: message.address } as const;
        const turn = { id: runId, route, senders: [message.sender.id], ...(rights ? { rights } : {}), options: { elevated: level } };
        const verdict = hands.elevationOf({ turn, entry, place: hands.place({ agentId, sessionKey }) });
        if (!verdict.allowed) throw new AppError('denied', verdict.message);
      }
      await sessions.patch(sessionKey, { elevatedLevel: level });
      return `Elevated is ${level} for this session${level === 'full' ? ': commands run without asking' : ''}.`;
    },
  };
}

/** The gateway's own surface by scope; a channel's senders when they are named, in a chat of their own. */
function mayApprove({ row: { message, rights, authorized } }: CommandCall, config: ReturnType<HandsDeps['config']>): boolean {
  if (rights?.includes('approve')) return true;
  const { channel, chat } = message.address;
  const named = config.tools.exec.approvers[channel];
  const listed = config.channels[channel]?.['allowFrom'];
  // Everybody who may write is not everybody who may run commands: `*` names nobody.
  const ids = named ?? (chat.kind === 'direct' && Array.isArray(listed) ? listed.map(String) : []);
  const sender = message.sender.id.toLowerCase();
  return authorized && ids.some((id) => [sender, `${channel}:${sender}`].includes(id.trim().toLowerCase()));
}
