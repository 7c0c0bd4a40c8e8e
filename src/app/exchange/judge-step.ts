/** What becomes of the answer to a step: an announcement or a report may be nothing, and a report is never lost with the model that was to write it. */
import type { Judge } from '../../agent/turn/verdict.ts';
import { ANNOUNCE_SKIP } from '../../core/errand.ts';
import { isWord, plainReply } from './plain-reply.ts';

/** `report`: what a person is told of a sub-agent when its requester could not say it. */
export function createStepJudge(report: (exchangeId: string) => string | undefined): Judge {
  return (turn, outcome) => {
    const errand = turn.errand;
    if (errand?.origin !== 'session' || (errand.step !== 'announce' && errand.step !== 'result')) return {};
    if (outcome.kind === 'failed' && errand.step === 'result') return spoken(report(errand.exchangeId));
    // Nobody asked for it: that it failed concerns nobody there.
    if (outcome.kind !== 'done') return { silent: true };
    const said = plainReply(outcome.text);
    if (said === '' || isWord(said, ANNOUNCE_SKIP)) return { silent: true };
    return said === outcome.text.trim() ? {} : { text: said };
  };
}

const spoken = (text: string | undefined): ReturnType<Judge> => (text === undefined ? { silent: true } : { text });
