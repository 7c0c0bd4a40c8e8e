/** How a job and its runs stand, in words. Pure. */
import type { Mark } from '../../../../ui/src/elements/mark.ts';
import { duration } from '../../../../ui/src/elements/times.ts';
import { splitKey } from '../../../../ui/src/gateway/sessions.ts';
import type { CronStatus, Job, JobRun } from './wire.ts';

/** In one way at a time; the first that holds counts. */
export function standing({
  enabled,
  problem,
  schedule,
  state,
}: Pick<Job, 'enabled' | 'problem' | 'schedule' | 'state'>): Mark {
  if (state.runningAtMs !== undefined) return { tone: 'running', words: 'running' };
  if (problem) return { tone: 'bad', words: 'cannot run' };
  if (!enabled && state.disabledReason) return { tone: 'bad', words: 'disabled' };
  if (!enabled)
    return schedule.kind === 'at' && state.lastStatus === 'ok'
      ? { tone: 'quiet', words: 'done' }
      : { tone: 'quiet', words: 'off' };
  return lastOutcome(state);
}

function lastOutcome({ lastStatus, consecutiveErrors = 0 }: Job['state']): Mark {
  if (lastStatus === 'error')
    return { tone: 'bad', words: consecutiveErrors > 1 ? `failed ${consecutiveErrors} times` : 'failed' };
  if (lastStatus === 'skipped') return { tone: 'warn', words: 'skipped' };
  return lastStatus === 'ok' ? { tone: 'good', words: 'succeeded' } : { tone: 'quiet', words: 'not run yet' };
}

const OUTCOMES: Readonly<Record<JobRun['status'], Mark>> = {
  ok: { tone: 'good', words: 'succeeded' },
  error: { tone: 'bad', words: 'failed' },
  skipped: { tone: 'warn', words: 'skipped' },
};
export const outcomeOf = ({ status }: Pick<JobRun, 'status'>): Mark => OUTCOMES[status];

const TRIGGERS: Readonly<Record<JobRun['trigger'], string>> = {
  schedule: 'schedule',
  'catch-up': 'catch-up',
  retry: 'retry',
  manual: 'manual',
};
export const triggerWords = ({ trigger, attempt }: Pick<JobRun, 'trigger' | 'attempt'>): string =>
  trigger === 'retry' ? `attempt ${attempt + 1}` : TRIGGERS[trigger];

const DELIVERIES: Readonly<Record<NonNullable<JobRun['deliveryStatus']>, Mark>> = {
  delivered: { tone: 'good', words: 'delivered' },
  unknown: { tone: 'warn', words: 'on its way' },
  'not-delivered': { tone: 'bad', words: 'not delivered' },
  'not-requested': { tone: 'quiet', words: '' },
};
export const deliveryMark = ({ deliveryStatus = 'not-requested' }: Pick<JobRun, 'deliveryStatus'>): Mark =>
  DELIVERIES[deliveryStatus];

/** What it says or asks. */
export const textOf = ({ payload }: Pick<Job, 'payload'>): string =>
  payload.kind === 'systemEvent' ? payload.text : payload.message;

/** The conversation it runs in, by key; undefined: a fresh one each time. */
export const sessionOf = ({ sessionTarget }: Pick<Job, 'sessionTarget'>): string | undefined =>
  sessionTarget.startsWith('session:') ? sessionTarget.slice('session:'.length) : undefined;

export function placeWords({ sessionTarget, wakeMode }: Pick<Job, 'sessionTarget' | 'wakeMode'>): string {
  if (sessionTarget === 'isolated') return 'in a new conversation';
  if (sessionTarget === 'main')
    return wakeMode === 'now' ? 'in the main conversation' : 'in the main conversation, with the next heartbeat';
  return 'in a conversation';
}

/** Where the answer goes, or nothing when it stays where it is given. `labels`: of channels, by id. */
export function targetWords({ payload }: Pick<Job, 'payload'>, labels: Readonly<Record<string, string>>): string {
  if (payload.kind === 'systemEvent') return '';
  const { deliver = payload.to !== undefined, channel = 'last', to } = payload;
  if (!deliver) return '';
  const name = channel === 'last' ? (to ? '' : 'the chat you last wrote in') : (labels[channel] ?? channel);
  return [name, to].filter(Boolean).join(' · ');
}

const POLICIES: Readonly<Record<string, string>> = {
  skip: 'missed runs are skipped',
  once: 'of missed runs only the newest runs',
  all: 'all missed runs are run',
};
export const missedWords = ({ missed }: Pick<Job, 'missed'>): string =>
  missed
    ? `${POLICIES[missed.policy] ?? missed.policy}${missed.maxAgeMs ? `, up to ${duration(missed.maxAgeMs).replace(/ 0 (h|min|s)$/, '')} old` : ''}`
    : '';

export const agentOf = ({ agentId, owner }: Pick<Job, 'agentId' | 'owner'>): string =>
  agentId ?? (splitKey(owner?.sessionKey ?? '').agentId || 'main');

export function schedulerMark({
  enabled,
  problem,
  running,
}: Pick<CronStatus, 'enabled' | 'problem' | 'running'>): Mark {
  if (!enabled) return { tone: 'bad', words: 'off' };
  return problem
    ? { tone: 'bad', words: 'on, the jobs file is invalid' }
    : { tone: 'good', words: running === 0 ? 'on' : `${running} running` };
}
