/**
 * Decides whether the answer of a cron run is sent to its chat: no bare "nothing to report", no duplicates, and no
 * failure that is retried. Pure.
 */
import type { ReplyPolicy } from '../../../host/reply-policy.ts';
import type { ChatAddress } from '../../../core/message.ts';

export interface CronPolicyDeps {
  /** A text that only says that all is well. */
  isAck(text: string, agentId: string): boolean;
}

export const createCronPolicy =
  ({ isAck }: CronPolicyDeps): ReplyPolicy =>
  (turn, outcome, { sent }) => {
    if (turn.trigger?.origin !== 'cron' || outcome.kind === 'aborted') return {};
    // The run's outcome stands in the ledger, and the job's owner is told when it is given up.
    if (outcome.kind === 'failed') return { silent: true };
    if (isAck(outcome.text, turn.route.agentId)) return { silent: true };
    const saidThere =
      turn.trigger.delivers === 'auto' && sent.some(({ address }) => isThere(address, turn.route.replyTo));
    return saidThere ? { silent: true } : {};
  };

const isThere = (a: ChatAddress, b: ChatAddress): boolean =>
  a.channel === b.channel && a.accountId === b.accountId && a.chat.id === b.chat.id && a.threadId === b.threadId;
