/**
 * One attempt of a cron job: a message from the gateway, accepted once under the run id, and its result. After a crash
 * the attempt continues.
 */
import { excerpt, head } from '../../../core/cut.ts';
import { NOTHING_SAID } from '../../../core/said.ts';
import { cronRunId, type CronJob, type CronOutcome, type CronPayload } from '../cron-job.ts';
import type { CronDelivery, CronRun } from '../ledger-rows.ts';
import { jobAuthority } from './job-authority.ts';
import type { CronDelivers } from '../../../core/trigger.ts';
import { AppError, asAppError, type ErrorCode } from '../../../core/errors.ts';
import type { ChatAddress } from '../../../core/message.ts';
import { neutraliseFrames } from '../../../core/neutralise.ts';
import { isSilent } from '../../../core/reply.ts';
import type { SessionKey } from '../../../core/session-key.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../../../core/turn.ts';
import { stripAck } from '../../../core/ack.ts';
import { present } from '../../../core/present.ts';
import type { RunSnapshot } from '../../../host/chat.ts';
import type { HostAgents, HostSessions } from '../../../host/host.ts';
import type { Receive } from '../../../host/receive.ts';
import { ownChat } from '../../../host/delivery-target.ts';
import type { WakeRequest, WakeResult } from '../../../host/wake.ts';
import { SUMMARY_CHARS, turnMessage } from './job-texts.ts';

/** How a run ends: its turn, and what it said. */
export interface RunEnds {
  /** Resolves with the end of a run. */
  ended(runId: string, signal: AbortSignal): Promise<RunSnapshot>;
  /** Resolves when its messages are with the platform, refused by it, or have waited long enough. */
  delivered(runId: string, signal: AbortSignal): Promise<CronDelivery['status'] | { readonly error: string }>;
}

export interface RunJobDeps {
  readonly receive: Receive;
  readonly sessions: Pick<HostSessions, 'get' | 'patch' | 'mainKey'>;
  readonly chooseModel: HostAgents['chooseModel'];
  /** The agent a job belongs to; `not_found` when there is none of that name. */
  agentOf(job: CronJob): string;
  /** Where answers go; undefined: nobody wrote to that session from a channel yet. */
  address(request: Extract<CronPayload, { kind: 'agentTurn' }>, sessionKey: string): Promise<ChatAddress | undefined>;
  isDeliverable(channel: string): boolean;
  /** Nothing but "nothing to tell", by the rules of this agent. */
  isAck(text: string, agentId: string): boolean;
  readonly ends: RunEnds;
  /** Tells the main session; `now`: it also looks at once. */
  wake(wake: WakeRequest, signal: AbortSignal): Promise<WakeResult>;
  /** Lets the transcripts of runs long ago go: each run has one of its own. */
  forgetOld(job: CronJob, sessionKey: string): Promise<void>;
  /** IANA zone of the person. */
  zone(agentId: string): string;
  now(): number;
}

export type RunJob = (job: CronJob, run: CronRun, signal: AbortSignal) => Promise<CronOutcome>;

/** Never rejects but with `aborted`, when the gateway stops: then the run goes on in the next run. */
export function createRunJob(deps: RunJobDeps): RunJob {
  return async (job, run, signal) => {
    try {
      return job.payload.kind === 'systemEvent'
        ? await notifyMain({ job, run, signal }, job.payload.text, deps)
        : await runTurn({ job, payload: job.payload, run, signal }, deps);
    } catch (error) {
      if (signal.aborted)
        throw new AppError('aborted', 'The gateway is stopping; the run continues after the next start.', {
          cause: error,
        });
      return failed(asAppError(error));
    }
  };
}

/** Trying again cannot help against these. */
const PERMANENT: readonly ErrorCode[] = ['invalid', 'not_found', 'unsupported', 'denied'];

const failed = ({ code, message }: { readonly code: string; readonly message: string }): CronOutcome =>
  present({ status: 'error', error: message, permanent: PERMANENT.includes(code as ErrorCode) ? true : undefined });

async function notifyMain(
  { job, run, signal }: Omit<Attempt, 'payload'>,
  text: string,
  deps: RunJobDeps,
): Promise<CronOutcome> {
  if (text.trim() === '')
    return { status: 'skipped', error: 'main job requires non-empty systemEvent text', permanent: true };
  const agentId = deps.agentOf(job);
  const sessionKey = deps.sessions.mainKey(agentId);
  const { status, reason, error, retryAtMs } = await deps.wake(
    {
      agentId,
      text,
      id: cronRunId(run),
      reason: `cron:${job.id}`,
      mode: job.wakeMode,
      authority: jobAuthority(job, { agentId, sessionKey, address: ownChat(sessionKey) }),
      ifSkipped: 'leave',
    },
    signal,
  );
  if (status === 'failed')
    return { status: 'error', error: error ?? reason ?? 'The agent could not be woken.', sessionKey };
  if (status === 'skipped') return present({ status: 'skipped', error: reason ?? 'skipped', sessionKey, retryAtMs });
  return { status: 'ok', summary: head(text, SUMMARY_CHARS), sessionKey };
}

interface Attempt {
  readonly job: CronJob;
  readonly payload: Extract<CronPayload, { kind: 'agentTurn' }>;
  readonly run: CronRun;
  readonly signal: AbortSignal;
}
interface AnswerRoute {
  readonly delivers: CronDelivers;
  readonly replyTo: ChatAddress;
}

async function runTurn({ job, payload, run, signal }: Attempt, deps: RunJobDeps): Promise<CronOutcome> {
  const agentId = deps.agentOf(job);
  const isolated = job.sessionTarget === 'isolated';
  const sessionKey = (
    isolated ? `agent:${agentId}:cron:${job.id}` : job.sessionTarget.replace(/^session:/, '')
  ) as SessionKey;
  if (payload.model !== undefined) await deps.chooseModel(agentId, payload.model);
  const answerRoute = await answerRouteOf({ job, payload, run, signal }, { sessionKey, agentId }, deps);
  if ('status' in answerRoute) return answerRoute;
  if (isolated)
    await deps.sessions.patch(sessionKey, {
      displayName: `Cron: ${job.name}`,
      spawnedBy: job.owner?.sessionKey ?? null,
      chatType: 'direct',
    });
  const runId = cronRunId(run);
  await deps.receive(
    {
      message: {
        id: runId,
        address: answerRoute.replyTo,
        sender: { id: 'cron', name: 'cron' },
        system: true,
        said: NOTHING_SAID,
        attachments: [],
        addressesBot: true,
        receivedAt: deps.now(),
        text: turnMessage(job, isTrusted(job) ? payload.message : neutraliseFrames(payload.message), {
          now: run.startedAtMs,
          zone: deps.zone(agentId),
        }),
      },
      route: { agentId, sessionKey, matchedBy: 'session', replyTo: answerRoute.replyTo },
      trigger: {
        origin: 'cron',
        jobId: job.id,
        slotMs: run.slotMs,
        attempt: run.attempt,
        delivers: answerRoute.delivers,
      },
      options: present({
        model: payload.model,
        thinking: payload.thinking,
        timeoutMs: payload.timeoutSeconds !== undefined ? payload.timeoutSeconds * 1000 : undefined,
        freshSession: isolated ? true : undefined,
      }),
      queue: 'followup',
      commands: false,
      authority: jobAuthority(job, { agentId, sessionKey, address: answerRoute.replyTo }),
    },
    runId,
  );
  const { outcome } = await deps.ends.ended(runId, signal);
  const ended = await outcomeOf({ job, payload, run, signal }, { outcome, answerRoute, sessionKey }, deps);
  if (isolated) await deps.forgetOld(job, sessionKey);
  if (isolated && isTrusted(job))
    await report(
      { job, run, signal },
      {
        ...ended,
        whole:
          outcome.kind === 'done' && !isSilent(outcome.text) && !deps.isAck(outcome.text, agentId)
            ? stripAck(outcome.text).text
            : '',
      },
      deps,
    );
  return ended;
}

/** Where the answer goes, decided before the turn: an answer nobody could deliver is not worth one. */
async function answerRouteOf(
  { job, payload }: Attempt,
  { sessionKey, agentId }: { readonly sessionKey: string; readonly agentId: string },
  deps: RunJobDeps,
): Promise<AnswerRoute | CronOutcome> {
  const own = { delivers: 'never', replyTo: ownChat(sessionKey) } as const;
  const isolated = job.sessionTarget === 'isolated';
  if (payload.deliver === false || (isolated && payload.deliver === undefined && !payload.to)) return own;
  const replyTo = await deps.address(payload, isolated ? deps.sessions.mainKey(agentId) : sessionKey);
  if (replyTo)
    return deps.isDeliverable(replyTo.channel) ? { delivers: payload.deliver ? 'always' : 'auto', replyTo } : own;
  // A conversation of our own surface has its answer in its history.
  if (!isolated && payload.channel === undefined && !payload.to) return own;
  const error = 'Cron delivery requires a recipient (--to).';
  return payload.bestEffortDeliver ? { status: 'skipped', error } : { status: 'error', error, permanent: true };
}

interface Done {
  readonly outcome: TurnOutcome;
  readonly answerRoute: AnswerRoute;
  readonly sessionKey: string;
}

async function outcomeOf(
  { payload, run, signal }: Attempt,
  { outcome, answerRoute, sessionKey }: Done,
  deps: RunJobDeps,
): Promise<CronOutcome> {
  const sessionId = (await deps.sessions.get(sessionKey))?.sessionId;
  const where = present({ sessionKey, sessionId });
  if (outcome.kind === 'failed') {
    if (outcome.code === SUSPENDED_CODE) throw new AppError('aborted', 'The gateway is stopping.');
    return { ...failed(outcome), ...where };
  }
  if (outcome.kind === 'aborted')
    return { status: 'skipped', error: 'The run was stopped manually.', final: true, ...where };
  const summary = head(outcome.text.trim(), SUMMARY_CHARS);
  const done = { status: 'ok' as const, ...present({ summary: summary || undefined }), ...where };
  if (answerRoute.delivers === 'never') return { ...done, delivery: { status: 'not-requested' } };
  const there = { channel: answerRoute.replyTo.channel, to: answerRoute.replyTo.chat.id };
  if (outcome.silent) return { ...done, delivery: { status: 'not-delivered', ...there } };
  const delivery = await deps.ends.delivered(cronRunId(run), signal);
  if (typeof delivery === 'string') return { ...done, delivery: { status: delivery, ...there } };
  const lost = { ...done, delivery: { status: 'not-delivered' as const, ...there, error: delivery.error } };
  // The work is done: doing it again would not bring the words there.
  return payload.bestEffortDeliver
    ? lost
    : { ...lost, status: 'error', error: `Not delivered: ${delivery.error}`, final: true };
}

/** A stranger's job must not speak to the owner's own conversation. */
const isTrusted = ({ owner }: CronJob): boolean => owner === undefined || owner.trusted === true;

/** The main session hears what an isolated run came to, once. */
async function report(
  { job, run, signal }: Omit<Attempt, 'payload'>,
  { status, error, whole }: CronOutcome & { readonly whole: string },
  deps: RunJobDeps,
): Promise<void> {
  const { postToMainPrefix = 'Cron', postToMainMode = 'summary', postToMainMaxChars = 8000 } = job.isolation ?? {};
  const full = excerpt(whole, postToMainMaxChars);
  const said = status !== 'ok' ? (error ?? 'no reason') : postToMainMode === 'full' ? full : head(whole, SUMMARY_CHARS);
  if (said === '') return;
  const text = `${postToMainPrefix}${status === 'ok' ? '' : ` (${status})`}: ${said}`;
  const agentId = deps.agentOf(job);
  const sessionKey = deps.sessions.mainKey(agentId);
  await deps.wake(
    {
      agentId,
      text,
      id: `${cronRunId(run)}:main`,
      reason: `cron:${job.id}`,
      mode: job.wakeMode,
      authority: jobAuthority(job, { agentId, sessionKey, address: ownChat(sessionKey) }),
      ifSkipped: 'note',
    },
    signal,
  );
}
