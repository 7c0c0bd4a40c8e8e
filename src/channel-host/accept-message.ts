/** Writes a message to the journal after the access decision: a row for each agent that answers, or one refused row. */
import type { Admission } from '../core/admission.ts';
import { dedupeId, type HistoryLine, type InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { Route } from '../core/route.ts';
import type { TurnOptions } from '../core/turn.ts';
import type { Accepted, Arrival, Refusal } from '../journal/rows.ts';
import type { GroupHistory } from '../pipeline/context/group-history.ts';
import type { Broadcast } from '../pipeline/routing/broadcast.ts';
import { sortedUuid } from '../platform/ids.ts';
import type { AccessDecision } from './access/access-gate.ts';
import { authorityAtGate } from './access/gate-authority.ts';

export interface AcceptMessageDeps {
  readonly history: Pick<GroupHistory, 'peek'>;
  broadcast(message: InboundMessage): Broadcast | undefined;
  /** Files that came before their conversation was known become its own. */
  adopt(attachments: InboundMessage['attachments'], sessionKey: string): Promise<InboundMessage['attachments']>;
  /** When a conversation was last used, milliseconds since the epoch. */
  lastUsed(sessionKey: string): number | undefined;
}

/** `alone`: only the session of this route receives it, with these options. */
export type AcceptMessageOf = (
  decided: AccessDecision,
  route: Route,
  alone?: TurnOptions,
) => Promise<readonly Arrival[]>;

export function createAcceptMessage(deps: AcceptMessageDeps): AcceptMessageOf {
  /** One arrival for every agent that answers, or that is notified; in a sequence each names the previous one. */
  function admitted(decided: AccessDecision, route: Route, alone: TurnOptions | undefined): readonly Arrival[] {
    const { message } = decided;
    const together = alone ? undefined : deps.broadcast(message);
    const routes = together?.routes ?? [route];
    const runs = routes.map(() => sortedUuid());
    const before = deps.history.peek(message.address);
    return routes.map((one, index) => ({
      runId: runs[index]!,
      accepted: {
        ...acceptedOf(decided, one, before),
        ...present({
          options: alone,
          message: together ? { ...message, key: keyFor(message, one) } : undefined,
          together: routes.length > 1 ? index : undefined,
          after: together?.strategy === 'sequential' && index > 0 ? runs[index - 1]! : undefined,
        }),
      },
    }));
  }

  async function adopted(arrival: Arrival): Promise<Arrival> {
    const { message, route } = arrival.accepted;
    if (message.attachments.every(({ path }) => path === undefined)) return arrival;
    return {
      ...arrival,
      accepted: {
        ...arrival.accepted,
        message: { ...message, attachments: await deps.adopt(message.attachments, route.sessionKey) },
      },
    };
  }

  function acceptedOf(
    { admission, message, transcript, guest }: AccessDecision,
    route: Route,
    before: readonly HistoryLine[],
  ): Accepted {
    const lastUsed = deps.lastUsed(route.sessionKey);
    return {
      message,
      route,
      options: {},
      commands: !message.quiet,
      access: admission.steps,
      authority: authorityAtGate(message, route, admission),
      ...present({
        history: before.length > 0 && !message.quiet ? before : undefined,
        elapsedMs: lastUsed !== undefined ? message.receivedAt - lastUsed : undefined,
        transcript,
        guest,
      }),
    };
  }

  return async (decided, route, alone) =>
    decided.admission.kind === 'allowed'
      ? await Promise.all(admitted(decided, route, alone).map(adopted))
      : [turnedAway(decided, decided.admission, route)];
}

function turnedAway(
  decided: AccessDecision,
  { reason }: Extract<Admission, { kind: 'refused' }>,
  route: Route,
): Arrival {
  const runId = sortedUuid();
  const { message, notice } = decided;
  const refusalNotice =
    notice && !message.quiet
      ? {
          token: notice.token,
          runId,
          sessionKey: route.sessionKey,
          address: route.replyTo,
          payload: { kind: 'notice', text: notice.text } as const,
        }
      : undefined;
  const refused: Refusal = present({ reason, notice: refusalNotice });
  return {
    runId,
    accepted: {
      message,
      route,
      options: {},
      commands: false,
      authority: authorityAtGate(message, route, decided.admission),
      access: decided.admission.steps,
    },
    refused,
  };
}

/** Several agents answer one message: it is a row for each. */
export const keyFor = (message: InboundMessage, { agentId }: Pick<Route, 'agentId'>): string =>
  `${dedupeId(message)}@${agentId}`;
