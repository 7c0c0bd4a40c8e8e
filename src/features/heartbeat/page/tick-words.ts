/** The result of a tick in words for the Control UI. */
import type { Mark } from '../../../../ui/src/elements/mark.ts';
import type { LastHeartbeat } from '../answers.ts';

const REASONS: Readonly<Record<string, string>> = {
  'quiet-hours': 'quiet hours',
  disabled: 'disabled',
  'empty-heartbeat-file': 'HEARTBEAT.md is empty',
  'alerts-disabled': 'alerts are disabled',
  'requests-in-flight': 'the agent was busy',
  duplicate: 'already sent',
  'no-target': 'no target',
  interval: '',
};
const TICKS: Readonly<Record<string, Mark>> = {
  sent: { tone: 'good', words: 'sent' },
  ok: { tone: 'good', words: 'ok' },
  skipped: { tone: 'quiet', words: 'skipped' },
  failed: { tone: 'bad', words: 'failed' },
};

/** `skipped: quiet hours`. Only a tick that was left out or failed has a reason worth a word. */
export function tickWords({ status, reason = '' }: Pick<LastHeartbeat, 'status' | 'reason'>): Mark {
  const tick = TICKS[status] ?? { tone: 'quiet' as const, words: status };
  const why = status === 'skipped' || status === 'failed' ? (REASONS[reason] ?? reason) : '';
  return why ? { ...tick, words: `${tick.words}: ${why}` } : tick;
}
