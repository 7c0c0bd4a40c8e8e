/**
 * Composes cron: the paths of file and ledger, the owner of a job, the execution of an attempt, and notices about
 * disabled jobs.
 */
import { join } from 'node:path';
import type { CronJob } from '../cron-job.ts';
import { normaliseAgentId, parseSessionKey } from '../../../core/session-key.ts';
import { deliveryTarget, lastAddress, ownChat } from '../../../host/delivery-target.ts';
import type { Host } from '../../../host/host.ts';
import { expandPath } from '../../../platform/env.ts';
import { orAborted } from '../../../platform/timeout.ts';
import { PUBLIC_COMMAND } from '../../../platform/own-command.ts';
import type { CronConfig } from '../config.ts';
import type { CronLedger } from '../ledger.ts';
import { CRON_TABLES } from '../ledger-tables.ts';
import { createLazyCron, type LazyCron } from '../lazy-cron.ts';
import { createRunEnds } from './run-ends.ts';
import { createRunJob } from './run-job.ts';

/** Of each job's runs in a session of their own; the ledger remembers more. */
const KEPT_TRANSCRIPTS = 50;

export function buildCron(host: Host): LazyCron {
  const { machine, journal, sessions, agents, channels, waker } = host;
  const { env, log, clock } = machine;
  const ledger = journal.tables(CRON_TABLES);
  const zone = personZone(host);
  const agentOf = (job: Pick<CronJob, 'agentId' | 'sessionTarget'>): string =>
    agents.resolve(job.agentId ?? agentOfTarget(job.sessionTarget) ?? agents.defaultId()).id;
  const isAgent = (id: string): boolean => agents.ids().includes(normaliseAgentId(id));

  /** What keeps a job from running that could have been right once; undefined: nothing. */
  function problemOf(job: CronJob): string | undefined {
    const named = job.agentId ?? agentOfTarget(job.sessionTarget);
    if (named !== undefined && !isAgent(named))
      return `The agent "${named}" no longer exists. Choose another one (agentId), or add it under agents.list.`;
    const channel = job.payload.kind === 'agentTurn' ? job.payload.channel : undefined;
    if (channel !== undefined && channel !== 'last' && channels.channelId(channel) === undefined)
      return (
        `Channel "${channel}" is unknown or not configured. Set it up ` +
        `(${PUBLIC_COMMAND} channels add --channel <id>), or choose another channel for the answer.`
      );
    return undefined;
  }

  /** Where its owner hears of a job: where the conversation it was made in is written to, else that of its agent. */
  async function notify({ id, text, job }: Notice): Promise<void> {
    const agentId = problemOf(job) === undefined ? agentOf(job) : agents.defaultId();
    const sessionKey = sessions.canonicalKey(job.owner?.sessionKey ?? sessions.mainKey(agentId));
    const address = lastAddress(await sessions.get(sessionKey), channels) ?? ownChat(sessionKey);
    await channels.postNotice(address, { sessionKey, text, id });
  }

  /** One at each end is enough: one was added. */
  async function forgetOld(job: CronJob, sessionKey: string): Promise<void> {
    const [old] = (await ledger.ended({ jobId: job.id, limit: 1, offset: KEPT_TRANSCRIPTS })).runs;
    if (old?.sessionId === undefined) return;
    await sessions
      .discard(sessionKey, old.sessionId)
      .catch((error: unknown) => log.warn('cron.transcript', { jobId: job.id, error }));
  }

  const run = createRunJob({
    forgetOld,
    sessions,
    chooseModel: agents.chooseModel,
    agentOf,
    isDeliverable: channels.isDeliverable,
    receive: host.inbox.receive,
    zone,
    now: () => clock.now(),
    address: async (request, sessionKey) => deliveryTarget(request, await sessions.get(sessionKey), channels),
    wake: (wake, signal) => orAborted(waker.wake(wake), signal),
    isAck: (text, agentId) => waker.isAck(text, agentId),
    ends: createRunEnds({ journal, clock, channels, chat: host.chat }),
  });
  const kept = { path: jobsPath(host), ledger: watched(ledger, host.gateway.checkpoint), log, clock };
  return createLazyCron({
    ...kept,
    load: async () =>
      (await import('../create-cron.ts')).createCron({
        ...kept,
        config: () => cronConfig(host),
        zones: { person: zone, host: machine.zone() },
        enabledByEnv: env.get('CLAWDBOT_SKIP_CRON') !== '1',
        run,
        problemOf,
        notify,
        agentExists: isAgent,
        canonicalKey: sessions.canonicalKey,
      }),
  });
}

interface Notice {
  readonly id: string;
  readonly text: string;
  readonly job: CronJob;
}

/** IANA zone of the person, as it is configured now; else this machine's. */
export const personZone =
  ({ config, machine }: Pick<Host, 'config' | 'machine'>) =>
  (): string =>
    config.current().agents.defaults.userTimezone ?? machine.zone();

const cronConfig = ({ config }: Pick<Host, 'config'>): CronConfig => config.slice<CronConfig>('cron');

const agentOfTarget = (target: CronJob['sessionTarget']): string | undefined =>
  target.startsWith('session:') ? parseSessionKey(target.slice('session:'.length))?.agentId : undefined;

function jobsPath(host: Pick<Host, 'config' | 'machine'>): string {
  const { store } = cronConfig(host);
  const { stateDir, home } = host.machine.env;
  return store === undefined ? join(stateDir, 'cron', 'jobs.json') : expandPath(store, home);
}

/**
 * Who may write to these plans work for anybody: the jobs, and the copy of them, where they do not lie in the state
 * directory.
 */
export const jobFiles = (host: Pick<Host, 'config' | 'machine'>): readonly string[] =>
  cronConfig(host).store === undefined ? [] : [jobsPath(host), `${jobsPath(host)}.bak`];

/** The ledger with checkpoints around its writes: a job is kept, an instant is taken, a run has ended. */
function watched(ledger: CronLedger, checkpoint: Host['gateway']['checkpoint']): CronLedger {
  return {
    ...ledger,
    async commit(change) {
      const [what, jobId] = change.claim
        ? (['claim', change.claim.jobId] as const)
        : change.ended
          ? (['end', change.ended.jobId] as const)
          : (['keep', change.jobs?.[0]?.jobId ?? ''] as const);
      checkpoint(`cron.${what}.before`, jobId);
      const done = await ledger.commit(change);
      checkpoint(`cron.${what}.after`, jobId);
      return done;
    },
  };
}
