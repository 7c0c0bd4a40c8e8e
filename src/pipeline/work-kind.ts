/** Which kind of work a message is: how many of a kind run at once depends on it. */
import type { InboundRow } from '../journal/rows.ts';
import type { WorkKind } from '../sessions/lanes.ts';

/**
 * A turn that another one waits for must not need its place: nobody waits for a sub-agent's task, but for what is asked
 * of it.
 */
export function workKind({ trigger }: InboundRow): WorkKind {
  switch (trigger?.origin) {
    case undefined:
      return 'main';
    case 'cron':
      return 'cron';
    case 'session':
      return trigger.step === 'task' ? 'subagent' : 'nested';
    default:
      return 'background';
  }
}
