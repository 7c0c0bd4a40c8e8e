/** `/approve <id> allow-once|allow-always|deny`: decides on a command that waits for approval. */
import { APPROVAL_DECISIONS, type ApprovalDecision } from '../../core/approval.ts';
import type { Command } from './command.ts';

/** What people type for each decision. */
const WORDS: Readonly<Record<string, ApprovalDecision>> = {
  ...Object.fromEntries(APPROVAL_DECISIONS.map((decision) => [decision, decision])),
  once: 'allow-once',
  allow: 'allow-once',
  yes: 'allow-once',
  always: 'allow-always',
  no: 'deny',
  reject: 'deny',
};
const USAGE = '/approve <id> allow-once|allow-always|deny';

export const approveCommand: Command = {
  name: 'approve',
  does: ['read', 'session'],
  usage: USAGE,
  summary: 'Approve or deny a command; without arguments it lists pending approvals.',
  takesText: true,
  group: 'Control',
  changesRights: true,
  native: {
    args: [
      { name: 'id', description: 'Which one' },
      { name: 'decision', description: 'The answer', choices: [...APPROVAL_DECISIONS] },
    ],
  },
  async run(call, host) {
    const [id, word, ...more] = call.args.split(/\s+/).filter(Boolean);
    if (id === undefined) {
      const waiting = host.approvals(call);
      return {
        reply:
          waiting.length === 0
            ? '⚙️ No pending approvals.'
            : ['⚙️ Waiting for approval', ...waiting, `Answer with ${USAGE}`].join('\n'),
      };
    }
    const decision = WORDS[(word ?? '').toLowerCase()];
    if (!decision || more.length > 0) return { reply: `⚙️ Usage: ${USAGE}` };
    return { reply: `⚙️ ${await host.approve(call, id, decision)}` };
  },
};
