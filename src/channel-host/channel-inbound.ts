/** Handles a message of a channel: access gate, routing, and a journal row for each agent that answers. */
import type { ChannelPlugin, Receipt } from '../core/channel.ts';
import { AppError, asAppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { maskedCommand } from '../core/masked-command.ts';
import type { InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { typed } from '../core/saying.ts';
import type { Route } from '../core/route.ts';
import type { Journal } from '../journal/journal.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { GroupHistory } from '../pipeline/context/group-history.ts';
import type { MessageInbox } from '../pipeline/inbox.ts';
import type { AccessGate, AccessDecision } from './access/access-gate.ts';
import type { Choices, Press } from './choices.ts';
import { createAcceptMessage, keyFor, type AcceptMessageDeps } from './accept-message.ts';

export interface ChannelInboundDeps extends AcceptMessageDeps {
  readonly journal: Pick<Journal, 'inbound'>;
  readonly gate: AccessGate;
  readonly history: GroupHistory;
  readonly log: Log;
  readonly inbox: Pick<MessageInbox, 'receiveAll'>;
  readonly choices: Pick<Choices, 'read'>;
  accepting(): boolean;
  route(message: InboundMessage): Route;
  /** Messages of a group that are kept for the next answer. */
  historyLimit(message: InboundMessage): number;
}

export type ChannelInbound = (plugin: ChannelPlugin, message: InboundMessage) => Promise<Receipt>;

export function createChannelInbound(deps: ChannelInboundDeps): ChannelInbound {
  const { journal, history } = deps;
  const arrivalsOf = createAcceptMessage(deps);

  return async (plugin, offered) => {
    if (!deps.accepting())
      throw new AppError('unavailable', 'The gateway is starting or stopping; the message was not accepted.', {
        retryAfterMs: 1000,
      });
    const read = deps.choices.read(offered);
    const press = typeof read === 'object' && (await answeredBefore(offered, read)) ? undefined : read;
    const sent = withPlainLines(typeof press === 'object' ? asPress(offered, press) : offered);
    const said = asEdit(sent, sent.editVersion ? await lastKnown(sent) : undefined);
    const pressedIn = typeof press === 'object' && press.choice.tells !== undefined ? press.sessionKey : undefined;
    const here = routeOf(said, pressedIn);
    // The chat is routed to other sessions now, which did not offer the button.
    const route = here ?? deps.route(said);
    const gone = press === 'gone' || !here;
    const evaluated = await evaluate(said.quiet || gone ? { ...said, addressesBot: true } : said, route, plugin);
    const decided = gone ? answerGone(evaluated) : evaluated;
    const results = await deps.inbox.receiveAll(
      await arrivalsOf(decided, route, pressedIn === undefined ? undefined : LOW_THINKING),
    );
    if (results[0]!.status === 'accepted') {
      remember(decided);
    }
    return { status: results[0]!.status, seq: results[0]!.row.seq };
  };

  /** `of`: only the session that offered the button receives the press. */
  function routeOf(message: InboundMessage, of: string | undefined): Route | undefined {
    const route = deps.route(message);
    if (of === undefined) return route;
    return [route, ...(deps.broadcast(message)?.routes ?? [])].find(({ sessionKey }) => sessionKey === of);
  }

  /** A number answers a question once; said again, by another message of the same person, it is a number. */
  async function answeredBefore(message: InboundMessage, { byNumber, key }: Press): Promise<boolean> {
    const before = byNumber ? await lastKnown({ ...message, key }) : undefined;
    return before !== undefined && before.message.id !== message.id;
  }

  /** The version of an edited message that was delivered before; each answering agent has its own. */
  async function lastKnown(message: InboundMessage): Promise<InboundRow | undefined> {
    const own = await Promise.all(
      (deps.broadcast(message)?.routes ?? []).map((one) =>
        journal.inbound.latest({ ...message, key: keyFor(message, one) }),
      ),
    );
    return own.find((row) => row && row.state !== 'declined') ?? journal.inbound.latest(message);
  }

  /** A message that cannot be evaluated is rejected and stored: a redelivery would block its chat. */
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
          reason: `access could not be decided: ${problem}`,
          steps: [{ step: 'judge', ok: false, detail: problem }],
        },
      };
    }
  }

  /** Group messages are kept for the next answer; once that has started they were delivered. */
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

/** The thinking level of turns that an action on a surface starts. */
const LOW_THINKING = { thinking: 'low' } as const;

/**
 * A press on one of our buttons counts as the text of the button, said by the person who pressed; if it only informs
 * the agent, it is not said by anybody.
 */
function asPress({ pressed: _data, ...message }: InboundMessage, { choice, key }: Press): InboundMessage {
  if (choice.says === undefined) return { ...message, key, text: choice.tells, said: NOTHING_SAID, addressesBot: true };
  return { ...message, key, text: choice.says, said: typed(choice.says), native: true };
}

/**
 * A button that does not count any more, because it is too old or its chat has another agent now, is answered; who may
 * not write here is told what everybody is who may not.
 */
function answerGone({ message, admission, notice }: AccessDecision): AccessDecision {
  if (admission.kind !== 'allowed') return present({ message, admission, notice });
  const reason = 'the button does not count any more';
  return {
    message,
    admission: { kind: 'refused', reason, steps: [...admission.steps, { step: 'button', ok: false, detail: reason }] },
    notice: { token: `gone:${JSON.stringify([message.address, message.key ?? message.id])}`, text: GONE },
  };
}

const GONE = '⌛ This button no longer counts. Use the newest one, or type the answer.';

const plain = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/**
 * A message was edited after the agent had received it: the agent gets the change with its next turn. An edit of a
 * message that no agent received counts as a new message.
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
