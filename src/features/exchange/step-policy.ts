/**
 * Decides whether the answer to a step is sent: an announcement or report may be empty, and a report is sent even if
 * the model fails.
 */
import type { ReplyDecision, ReplyPolicy } from '../../host/reply-policy.ts';
import { ANNOUNCE_SKIP } from '../../core/trigger.ts';
import { isWord, plainReply } from './plain-reply.ts';

/** `report`: what a person is told of a sub-agent when its requester could not say it. */
export function createStepPolicy(report: (exchangeId: string) => Promise<string | undefined>): ReplyPolicy {
  return async (turn, outcome) => {
    const trigger = turn.trigger;
    if (trigger?.origin !== 'session' || (trigger.step !== 'announce' && trigger.step !== 'result')) return {};
    if (outcome.kind === 'failed' && trigger.step === 'result') return spoken(await report(trigger.exchangeId));
    // Nobody asked for it: that it failed concerns nobody there.
    if (outcome.kind !== 'done') return { silent: true };
    const said = plainReply(outcome.text);
    if (said === '' || isWord(said, ANNOUNCE_SKIP)) return { silent: true };
    return said === outcome.text.trim() ? {} : { text: said };
  };
}

const spoken = (text: string | undefined): ReplyDecision => (text === undefined ? { silent: true } : { text });
