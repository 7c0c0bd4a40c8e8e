/**
 * What becomes of a message a channel hands over: judged at the access gate, routed, and in the journal for every agent
 * that is to answer.
 */
import type { Admission } from '../core/admission.ts';
import type { ChannelPlugin, Receipt } from '../core/channel.ts';
import { AppError, asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { maskedCommand } from '../core/masked-command.ts';
import { dedupeId, type HistoryLine, type InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { typed } from '../core/saying.ts';
import type { Route } from '../core/route.ts';
import type { Journal } from '../journal/journal.ts';
import type { Accepted, Arrival, InboundRow, Refusal } from '../journal/rows.ts';
import type { GroupHistory } from '../pipeline/context/group-history.ts';
import type { MessageInbox } from '../pipeline/inbox.ts';
import type { Broadcast } from '../pipeline/routing/broadcast.ts';
import { uuid } from '../platform/ids.ts';
import { authorityAtGate } from './access/gate-authority.ts';
import type { AccessGate, AccessDecision } from './access/access-gate.ts';

export interface ChannelInboundDeps {
  readonly journal: Pick<Journal, 'inbound'>;
  readonly gate: AccessGate;
  readonly history: GroupHistory;
  readonly log: Log;
  readonly inbox: Pick<MessageInbox, 'receiveAll'>;
  accepting(): boolean;
  route(message: InboundMessage): Route;
  broadcast(message: InboundMessage): Broadcast | undefined;
  /** Messages of a group that are kept for the next answer. */
  historyLimit(message: InboundMessage): number;
  /** Files that came before their conversation was known become its own. */
  adopt(attachments: InboundMessage['attachments'], sessionKey: string): Promise<InboundMessage['attachments']>;
  /** When a conversation was last used, milliseconds since the epoch. */
  lastUsed(sessionKey: string): number | undefined;
}

export type ChannelInbound = (plugin: ChannelPlugin, message: InboundMessage) => Promise<Receipt>;

export function createChannelInbound(deps: ChannelInboundDeps): ChannelInbound {
  const { journal, history } = deps;

  return async (plugin, offered) => {
    if (!deps.accepting())
      throw new AppError('unavailable', 'The gateway is starting or stopping; the message was not taken.', {
        retryAfterMs: 1000,
      });
    const sent = withPlainLines(offered);
    const said = asEdit(sent, sent.editVersion ? await lastKnown(sent) : undefined);
    const route = deps.route(said);
    const decided = await evaluate(said.quiet ? { ...said, addressesBot: true } : said, route, plugin);
    const results = await deps.inbox.receiveAll(
      decided.admission.kind === 'allowed'
        ? await Promise.all(admitted(decided, route).map(adopted))
        : [turnedAway(decided, decided.admission, route)],
    );
    if (results[0]!.status === 'accepted') remember(decided);
    return { status: results[0]!.status, seq: results[0]!.row.seq };
  };

  /** The version of a message that was told before: where several agents answer, each has one of its own. */
  async function lastKnown(message: InboundMessage): Promise<InboundRow | undefined> {
    const own = await Promise.all(
      (deps.broadcast(message)?.routes ?? []).map((one) =>
        journal.inbound.latest({ ...message, key: keyFor(message, one) }),
      ),
    );
    return own.find((row) => row && row.state !== 'declined') ?? journal.inbound.latest(message);
  }

  /** A message nobody can judge is turned away and kept: offered again and again it would hold up its whole chat. */
  async function evaluate(message: InboundMessage, route: Route, plugin: ChannelPlugin): Promise<AccessDecision> {
    try {
      return await deps.gate(message, route, plugin);
    } catch (error) {
      const { code, message: problem } = asAppError(error);
      // it passes: the channel keeps the message until then
      if (code === 'unavailable' || code === 'storage' || code === 'aborted') throw error;
      deps.log.error('message.unjudged', { channel: plugin.id, error });
      return {
        message,
        admission: {
          kind: 'refused',
          reason: `it could not be judged: ${problem}`,
          steps: [{ step: 'judge', ok: false, detail: problem }],
        },
      };
    }
  }

  /** One arrival for every agent that answers, or is told of it; in a sequence each names the one before it. */
  function admitted(decided: AccessDecision, route: Route): readonly Arrival[] {
    const { message } = decided;
    const together = deps.broadcast(message);
    const routes = together?.routes ?? [route];
    const runs = routes.map(() => uuid());
    const before = history.peek(message.address);
    return routes.map((one, index) => ({
      runId: runs[index]!,
      accepted: {
        ...acceptedOf(decided, one, before),
        ...present({
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
      door: admission.steps,
      authority: authorityAtGate(message, route, admission),
      ...present({
        history: before.length > 0 && !message.quiet ? before : undefined,
        elapsedMs: lastUsed !== undefined ? message.receivedAt - lastUsed : undefined,
        transcript,
        guest,
      }),
    };
  }

  function turnedAway(
    decided: AccessDecision,
    { reason }: Extract<Admission, { kind: 'refused' }>,
    route: Route,
  ): Arrival {
    const runId = uuid();
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
        door: decided.admission.steps,
      },
      refused,
    };
  }

  /** Group talk waits for the next answer; once that is under way it has been told. */
  function remember({ admission, message }: AccessDecision): void {
    if (message.address.chat.kind === 'direct' || message.quiet) return;
    if (admission.kind === 'allowed') history.clear(message.address);
    else if (admission.unaddressed) history.add(message, deps.historyLimit(message));
  }
}

/**
 * Some platforms end lines as Windows does; commands and quotes are read line by line. What a plugin does not say was
 * said, was not.
 */
function withPlainLines(message: InboundMessage): InboundMessage {
  const { text, said = NOTHING_SAID, forwarded } = message as Omit<InboundMessage, 'said'> & Partial<InboundMessage>;
  return { ...message, text: plain(text), said: forwarded ? NOTHING_SAID : typed(plain(said)) };
}

const plain = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Several agents answer one message: it is a row for each. */
const keyFor = (message: InboundMessage, { agentId }: Pick<Route, 'agentId'>): string =>
  `${dedupeId(message)}@${agentId}`;

/**
 * Somebody changed what the agent was told already: it learns of it with its next turn. One that reached nobody before
 * counts as new.
 */
function asEdit(message: InboundMessage, before: InboundRow | undefined): InboundMessage {
  if (!before || before.state === 'declined' || message.quiet) return message;
  return {
    ...message,
    quiet: true,
    said: NOTHING_SAID,
    text: `Changed message ${message.id}: ${maskedCommand(message.text)}`,
  };
}
