/** Cron put together: where its file and ledger are, whose a job is, what one attempt does, who hears of a job that is given up. */
import { join } from 'node:path';
import type { Models } from '../../agent/models/create-models.ts';
import { agentIds, defaultAgentId, resolveAgent } from '../../agent/resolve-agent.ts';
import type { CronJob } from '../../core/cron.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { normaliseAgentId, parseSessionKey, type SessionKey } from '../../core/session-key.ts';
import type { TargetRequest } from '../../gateway/channel-services.ts';
import type { ChatService } from '../../gateway/services.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Inbound } from '../../pipeline/inbound.ts';
import type { OutboxSender } from '../../pipeline/delivery/outbox-sender.ts';
import type { Clock } from '../../platform/clock.ts';
import { expandPath, type Env } from '../../platform/env.ts';
import { orAborted } from '../../platform/or-aborted.ts';
import type { Config } from '../../schema.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { deliveryTarget, lastAddress, ownChat } from '../delivery/delivery-target.ts';
import type { Heartbeats } from '../heartbeat/create-heartbeats.ts';
import { createLazyCron, type LazyCron } from './lazy-cron.ts';
import { createRunEnds } from './run-ends.ts';
import { createRunJob } from './run-job.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

/** Around what is written of a job: that it exists, that an instant is taken, how its run ended. */
export type CronMoment = `cron.${'keep' | 'claim' | 'end'}.${'before' | 'after'}`;

export interface AppCronDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly sessions: Pick<Sessions, 'get' | 'patch' | 'agentOf' | 'discard'>;
  readonly models: Pick<Models, 'choose'>;
  config(): Config;
  readonly heartbeats: Pick<Heartbeats, 'wake' | 'isAck'>;
  hostZone(): string;
  canonicalKey(raw: string): SessionKey;
  mainSessionKey(agentId: string): SessionKey;
  /** The id of a channel that is configured and can be written to. */
  channelId(name: string): string | undefined;
  isDeliverable(channel: string): boolean;
  resolve(target: TargetRequest): ChatAddress;
  inbound(): Pick<Inbound, 'receive'>;
  readonly sender: Pick<OutboxSender, 'send'>;
  chat(): Pick<ChatService, 'wait'>;
  reached(moment: CronMoment, jobId: string): void;
  /** Says something to a chat without a turn, once per id. Resolves when it is kept; it goes out as soon as it can. */
  tell(address: ChatAddress, said: { readonly sessionKey: string; readonly text: string; readonly id: string }): Promise<void>;
}

/** Of each job's runs in a session of their own; the ledger remembers more. */
const KEPT_TRANSCRIPTS = 50;

export function createAppCron(deps: AppCronDeps): LazyCron {
  const { env, log, clock, journal, sessions, config, channelId } = deps;
  const zone = (): string => config().agents.defaults.userTimezone ?? deps.hostZone();
  const agentOf = (job: Pick<CronJob, 'agentId' | 'sessionTarget'>): string => resolveAgent(config(), job.agentId ?? agentOfTarget(job.sessionTarget) ?? defaultAgentId(config())).id;
  const targets = { channelId, resolve: deps.resolve };

  /** What keeps a job from running that could have been right once; undefined: nothing. */
  function problemOf(job: CronJob): string | undefined {
    const named = job.agentId ?? agentOfTarget(job.sessionTarget);
    if (named !== undefined && !agentIds(config()).includes(normaliseAgentId(named))) return `There is no agent "${named}" any more. Name another one (agentId), or add it under agents.list.`;
    const channel = job.payload.kind === 'agentTurn' ? job.payload.channel : undefined;
    if (channel !== undefined && channel !== 'last' && channelId(channel) === undefined) return `Channel "${channel}" is unknown or not configured. Set it up (${PUBLIC_COMMAND} channels add --channel <id>), or let the job answer elsewhere.`;
    return undefined;
  }

  /** Where its owner hears of a job: where the conversation it was made in is written to, else that of its agent. */
  async function notify({ id, text, job }: { readonly id: string; readonly text: string; readonly job: CronJob }): Promise<void> {
    const agentId = problemOf(job) === undefined ? agentOf(job) : defaultAgentId(config());
    const sessionKey = deps.canonicalKey(job.owner?.sessionKey ?? deps.mainSessionKey(agentId));
    const address = lastAddress(await sessions.get(sessionKey), targets) ?? ownChat(sessionKey);
    await deps.tell(address, { sessionKey, text, id });
  }

  /** One at each end is enough: one was added. */
  async function forgetOld(job: CronJob, sessionKey: string): Promise<void> {
    const [old] = journal.cron.ended({ jobId: job.id, limit: 1, offset: KEPT_TRANSCRIPTS }).runs;
    if (old?.sessionId === undefined) return;
    await sessions.discard(sessionKey, old.sessionId).catch((error: unknown) => log.warn('cron.transcript', { jobId: job.id, error }));
  }

  const run = createRunJob({
    forgetOld, sessions, models: deps.models, agentOf, isDeliverable: deps.isDeliverable, inbound: deps.inbound, mainSessionKey: deps.mainSessionKey, zone,
    now: () => clock.now(),
    address: async (wish, sessionKey) => deliveryTarget(wish, await sessions.get(sessionKey), targets),
    wake: (wake, signal) => orAborted(deps.heartbeats.wake(wake), signal),
    isAck: (text, agentId) => deps.heartbeats.isAck(text, agentId),
    ...createRunEnds({ journal, clock, sender: deps.sender, chat: { wait: (...args) => deps.chat().wait(...args) } }),
  });

  const kept = { path: storePath(config(), env), ledger: watched(journal.cron, deps.reached), log, clock };
  return createLazyCron({
    ...kept,
    load: async () => (await import('../../cron/create-cron.ts')).createCron({
      ...kept, config: () => config().cron, zone, hostZone: deps.hostZone(), enabledByEnv: env.get('CLAWDBOT_SKIP_CRON') !== '1',
      run, problemOf, notify, agentExists: (id) => agentIds(config()).includes(normaliseAgentId(id)), canonicalKey: deps.canonicalKey,
    }),
  });
}

const agentOfTarget = (target: CronJob['sessionTarget']): string | undefined => (target.startsWith('session:') ? parseSessionKey(target.slice('session:'.length))?.agentId : undefined);

const storePath = ({ cron }: Config, { stateDir, home }: Env): string => (cron.store === undefined ? join(stateDir, 'cron', 'jobs.json') : expandPath(cron.store, home));

/** Who may write to these plans work for anybody: the jobs, and the copy of them, where they do not lie in the state directory. */
export const jobFiles = (config: Config, env: Env): readonly string[] => (config.cron.store === undefined ? [] : [storePath(config, env), `${storePath(config, env)}.bak`]);

/** The ledger, with the moments around its writes told. */
function watched(ledger: Journal['cron'], reached: AppCronDeps['reached']): Journal['cron'] {
  return {
    ...ledger,
    async commit(change) {
      const [what, jobId] = change.claim ? ['claim', change.claim.jobId] as const : change.ended ? ['end', change.ended.jobId] as const : ['keep', change.jobs?.[0]?.jobId ?? ''] as const;
      reached(`cron.${what}.before`, jobId);
      const done = await ledger.commit(change);
      reached(`cron.${what}.after`, jobId);
      return done;
    },
  };
}
