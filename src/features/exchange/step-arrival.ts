/** A step as an accepted message: without a sender, for one session, with the reply address of that session only. */
import { NOTHING_SAID } from '../../core/said.ts';
import { delegatedVia } from '../../core/authority.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { SessionKey } from '../../core/session-key.ts';
import { stepRunId, type Exchange } from './exchange.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Accepted } from '../../journal/rows.ts';
import type { Clock } from '../../platform/clock.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { ownChat } from '../../host/delivery-target.ts';
import type { Next, Step } from './next-step.ts';
import { ownAddress, type OwnAddressDeps } from './own-address.ts';
import { effortOf } from './read-steps.ts';
import { stepText } from './step-message.ts';

export interface StepArrivalDeps extends OwnAddressDeps {
  readonly journal: Pick<Journal, 'inbound' | 'turns'>;
  agentOf(key: string): string;
  readonly clock: Pick<Clock, 'now'>;
}

interface Coming {
  readonly exchange: Exchange;
  readonly steps: readonly Step[];
  readonly next: Extract<Next, { kind: 'step' }>;
  /** Of the session that takes it. */
  readonly entry: SessionEntry;
}

export async function stepArrival({ exchange, steps, next, entry }: Coming, deps: StepArrivalDeps): Promise<Accepted> {
  const sessionKey = (next.side === 'requester' ? exchange.requesterKey : exchange.targetKey) as SessionKey;
  const chat = chatOf(exchange, next, next.step === 'announce' ? ownAddress(sessionKey, entry, deps) : undefined);
  const address = chat ?? ownChat(sessionKey);
  const effort =
    next.step === 'result'
      ? await effortOf(await deps.journal.inbound.find(stepRunId(exchange.id, 0)), deps.journal)
      : undefined;
  const { text, prompt } = stepText({ exchange, steps, next, chat, effort });
  return {
    message: {
      id: stepRunId(exchange.id, steps.length),
      address,
      sender: { id: 'system', name: 'system' },
      system: true,
      said: NOTHING_SAID,
      text,
      attachments: [],
      addressesBot: true,
      receivedAt: deps.clock.now(),
    },
    route: { agentId: deps.agentOf(sessionKey), sessionKey, matchedBy: 'session', replyTo: address },
    options: present({
      extraSystemPrompt: prompt,
      timeoutMs: next.step === 'task' && exchange.child?.timeoutMs !== undefined ? exchange.child.timeoutMs : undefined,
    }),
    queue: 'followup',
    commands: false,
    authority: delegatedVia(exchange.authority, `session:${exchange.requesterKey}`),
    trigger: present({
      origin: 'session',
      exchangeId: exchange.id,
      step: next.step,
      from: next.side === 'target' ? exchange.requesterKey : undefined,
    }),
  };
}

/**
 * An announcement goes to the target's own chat, a report to the chat it was asked for in. Every other answer stays
 * between the two.
 */
function chatOf(
  { replyTo }: Exchange,
  { step }: Coming['next'],
  own: ChatAddress | undefined,
): ChatAddress | undefined {
  switch (step) {
    case 'announce':
      return own;
    case 'result':
      return replyTo;
    default:
      return undefined;
  }
}
