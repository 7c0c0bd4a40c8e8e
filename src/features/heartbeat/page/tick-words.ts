/** How a tick of the agent went, in words for the Control UI. */
import type { Mark } from '../../../../ui/src/cron/job-words.ts';
import type { LastHeartbeat } from '../answers.ts';

const REASONS: Readonly<Record<string, string>> = {
  'quiet-hours': 'quiet hours',
  disabled: 'it is switched off',
  'empty-heartbeat-file': 'HEARTBEAT.md holds nothing to do',
  'alerts-disabled': 'nobody would be told',
  'requests-in-flight': 'it was busy',
  duplicate: 'it was said before',
  'no-target': 'there is nobody to tell',
  interval: '',
};
const TICKS: Readonly<Record<string, Mark>> = {
  sent: { tone: 'good', words: 'told you' },
  ok: { tone: 'good', words: 'nothing needed you' },
  skipped: { tone: 'quiet', words: 'did not look' },
  failed: { tone: 'bad', words: 'could not look' },
};

/** `did not look: quiet hours`. Only a tick that was left out or failed has a reason worth a word. */
export function tickWords({ status, reason = '' }: Pick<LastHeartbeat, 'status' | 'reason'>): Mark {
  const tick = TICKS[status] ?? { tone: 'quiet' as const, words: status };
  const why = status === 'skipped' || status === 'failed' ? (REASONS[reason] ?? reason) : '';
  return why ? { ...tick, words: `${tick.words}: ${why}` } : tick;
}
