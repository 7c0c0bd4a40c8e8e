/** The run that answers a message, as everybody who follows it knows it. */
import { originOf } from '../core/trigger.ts';
import type { RunInfo } from '../host/runs.ts';
import type { InboundRow } from '../journal/rows.ts';

export const runOf = ({ runId, route: { sessionKey, agentId }, trigger }: InboundRow): RunInfo => ({
  runId,
  sessionKey,
  agentId,
  origin: originOf(trigger),
});
