/** `/approve` and `/elevated`: what can be approved from a chat, and by whom. */
import type { ApprovalRequest } from '../../core/approval.ts';
import { isDirectRequest } from '../../core/authority.ts';
import { may } from '../../core/may.ts';
import { AppError } from '../../core/errors.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { SessionKey } from '../../core/session-key.ts';
import { visibleLine } from '../../core/visible-text.ts';
import type { CommandCall } from '../commands/command-call.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { ToolEnvironment } from '../../host/tool-environment.ts';
import type { CommandExec } from './create-command-host.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface ApprovalCommandsDeps {
  readonly environment: Pick<ToolEnvironment, 'approvals' | 'elevationOf' | 'place' | 'usualElevation'>;
  readonly sessions: Sessions;
}

export function createApprovalCommands({ environment, sessions }: ApprovalCommandsDeps): Omit<CommandExec, 'bash'> {
  /** Which requests this person may answer. Throws `AppError('denied')`: none at all. */
  const answerable = (call: CommandCall): ((request: ApprovalRequest) => boolean) => {
    const which = mayApprove(call);
    if (which !== 'none') return ({ sessionKey }) => which === 'all' || sessionKey === call.sessionKey;
    const setting = `tools.exec.approvers.${call.row.message.address.channel}`;
    throw new AppError(
      'denied',
      `you may not answer approvals here. Use the Control UI or \`${PUBLIC_COMMAND} approvals\`, or list ` +
        `"${call.row.message.sender.id}" under ${setting}.`,
    );
  };
  return {
    async approve(call, id, decision) {
      const may = answerable(call);
      const { channel } = call.row.message.address;
      const { decision: done } = environment.approvals.resolve(
        id,
        decision,
        `${channel} ${call.row.message.sender.id}`,
        may,
      );
      return done === 'deny' ? `Denied ${id}.` : `Approved ${id} (${done}).`;
    },

    approvals: (call) =>
      environment.approvals
        .list()
        .filter(answerable(call))
        .map(({ slug, command, agentId }) => `${slug} (${agentId}): ${visibleLine(command)}`),

    async elevate(call, level) {
      const { sessionKey } = call;
      const agentId = sessions.agentOf(sessionKey);
      const entry = sessions.peek(sessionKey);
      const standing = entry?.elevatedLevel ?? environment.usualElevation();
      if (level === undefined) return `Elevated is ${standing}.`;
      if (level !== 'off') {
        const { runId, message, authority } = call.row;
        if (overheard(message))
          throw new AppError(
            'denied',
            `in a group, /elevated ${level} must address the agent: mention it, or reply to one of its ` +
              `messages. \`/elevated off\` needs neither.`,
          );
        const route = {
          agentId,
          sessionKey: sessionKey as SessionKey,
          matchedBy: 'session',
          replyTo: message.address,
        } as const;
        const turn = { id: runId, route, authority, options: { elevated: level } };
        const elevation = environment.elevationOf({ turn, entry, place: environment.place({ agentId, sessionKey }) });
        if (!elevation.allowed) throw new AppError('denied', elevation.message);
      }
      await sessions.patch(sessionKey, { elevatedLevel: level });
      return `Elevated is ${level} for this session${level === 'full' ? ': commands run without asking' : ''}.`;
    },
  };
}

/**
 * Said in a group to nobody in particular: enough for other commands, not for taking the safeguards away from everybody
 * there.
 */
const overheard = ({ address, addressesBot, native }: InboundMessage): boolean =>
  address.chat.kind !== 'direct' && !addressesBot && !native;

/**
 * The gateway's own surface by scope, and senders named for it: all. Who may write to the bot in a chat of their own:
 * what that chat asked
 * for, not what others did.
 */
function mayApprove({ row: { message, authority } }: CommandCall): 'all' | 'own' | 'none' {
  if (may(authority, 'answer', { kind: 'approval' }).ok) return 'all';
  return isDirectRequest(authority) &&
    authority.rights.includes('approve-own') &&
    message.address.chat.kind === 'direct'
    ? 'own'
    : 'none';
}
