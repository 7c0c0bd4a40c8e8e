/** Builds the timeline of one message, stage by stage, from the rows of the journal. Pure. */
import { present } from '../../core/present.ts';
import { excerpt } from '../../core/cut.ts';
import type { AdmissionStep } from '../../core/admission.ts';
import { readAuthority } from '../../core/authority.ts';
import type { Understanding } from '../../core/understanding.ts';
import { visibleLine } from '../../core/visible-text.ts';
import type { InboundRow, OutboxRow, Stage, TurnRow } from '../rows.ts';
import { requesterStage, checkIn, checkStage } from './authority-stages.ts';
import { understandingStages } from './understanding-stages.ts';

export interface TimelineFacts {
  readonly message: InboundRow;
  /** As it is stored; a missing one is left out. */
  readonly authority: unknown;
  readonly understood?: { readonly understanding: Understanding; readonly startedAt: number } | undefined;
  readonly turn?: TurnRow | undefined;
  /** The steps of its turn, and the access decisions of its run; in the order they began. */
  readonly steps: readonly StepFacts[];
  /** Oldest first. */
  readonly replies: readonly OutboxRow[];
}

export interface StepFacts {
  readonly kind: string;
  readonly name: string;
  /** JSON, as `output` is. */
  readonly input?: string | undefined;
  /** Absent: it has not ended. */
  readonly output?: string | undefined;
  readonly startedAt: number;
  readonly finishedAt?: number | undefined;
}

export function timelineOf(facts: TimelineFacts): readonly Stage[] {
  const { message, understood, turn } = facts;
  return [
    acceptedStage(message),
    ...accessStages(message.access, message.acceptedAt),
    ...modelStages(facts),
    routedStage(message),
    ...(understood ? understandingStages(understood.understanding, understood.startedAt) : []),
    ...(turn ? [startedStage(message, turn)] : []),
    ...facts.steps.flatMap(stepStages),
    ...endStages(message),
    ...facts.replies.map(replyStage),
  ].sort((a, b) => a.at - b.at);
}

const acceptedStage = ({ message, acceptedAt }: InboundRow): Stage => ({
  stage: 'accepted',
  at: acceptedAt,
  ms: Math.max(0, acceptedAt - message.receivedAt),
  detail: message.address.channel,
  ok: true,
});

const routedStage = ({ route, acceptedAt }: InboundRow): Stage => ({
  stage: 'routed',
  at: acceptedAt,
  detail: `${route.agentId} → ${route.sessionKey} (${route.matchedBy})`,
  ok: true,
});

const startedStage = ({ runId, acceptedAt }: InboundRow, { id, startedAt }: TurnRow): Stage => ({
  stage: 'started',
  at: startedAt,
  ms: Math.max(0, startedAt - acceptedAt),
  detail: id === runId ? 'its own turn' : `joined turn ${id}`,
});

function endStages({ state, reason, acceptedAt, endedAt }: InboundRow): readonly Stage[] {
  if (endedAt === undefined) return [];
  const ok = state === 'answered';
  return [
    {
      stage: state,
      at: endedAt,
      ms: endedAt - acceptedAt,
      ok,
      ...present({ detail: reason }),
    },
  ];
}

function stepStages({ kind, name, input, output, startedAt, finishedAt }: StepFacts): readonly Stage[] {
  const check = checkIn(output, kind);
  const checked = check ? [checkStage(check, finishedAt ?? startedAt)] : [];
  if (kind === 'access') return checked;
  const stage = { stage: kind, at: startedAt, detail: kind === 'tool' ? toolDetail(name, input) : name };
  if (finishedAt === undefined) return [...checked, stage];
  const ok = !/"isError":true|"stopReason":"error"/.test(output ?? '');
  return [...checked, { ...stage, ms: finishedAt - startedAt, ok }];
}

function replyStage({ state, attempts, error, payload, createdAt, sentAt }: OutboxRow): Stage {
  if (sentAt === undefined) {
    const why = error === undefined ? '' : `: ${error}`;
    return { stage: 'outbox', at: createdAt, detail: `${state}, attempt ${attempts}${why}` };
  }
  const sent = state === 'sent';
  const early = payload.kind === 'interim';
  const fate = early
    ? // A preview that was replaced by the answer is not a failure.
      { stage: sent ? 'shown' : 'not shown', ...present({ ok: sent ? true : undefined }) }
    : { stage: sent ? 'delivered' : 'undelivered', ok: sent };
  return {
    ...fate,
    at: sentAt,
    ms: sentAt - createdAt,
    ...present({ detail: error }),
  };
}

/** Characters of the arguments of a tool. */
const MAX_DETAIL = 120;
const TELLING = ['command', 'action', 'path', 'image', 'url', 'query'];

/** `bash: git status`: the tool, and its most informative argument. */
function toolDetail(tool: string, input: string | undefined): string {
  const parsed: unknown = input === undefined ? undefined : JSON.parse(input);
  const fields = typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {};
  const argument = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof argument !== 'string') return tool;
  return `${tool}: ${excerpt(visibleLine(argument.trim()), MAX_DETAIL)}`;
}

/** Every step of the access gate with its setting; nothing for the web chat and clients of the gateway. */
function accessStages(steps: readonly AdmissionStep[] = [], at: number): readonly Stage[] {
  if (steps.length === 0) return [];
  const refusal = steps.find(({ ok }) => !ok);
  return [
    {
      stage: 'door',
      at,
      ok: refusal === undefined,
      detail: refusal?.detail ?? 'let in',
      steps: steps.map(({ step, ok, setting, detail }) => ({
        what: setting === undefined ? step : `${step} (${setting})`,
        outcome: ok ? 'success' : 'blocked',
        reason: detail,
      })),
    },
  ];
}

/** An admitted sender is the requester; for a rejected one the access gate has the reason. */
function modelStages({
  message: { message, access = [], acceptedAt: at },
  authority,
}: TimelineFacts): readonly Stage[] {
  const known = readAuthority(authority);
  return known && access.every(({ ok }) => ok) ? [requesterStage(known, { name: message.sender?.name, at })] : [];
}
