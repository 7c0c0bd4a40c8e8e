/** Converts a request at a node into one message to the agent in the main session, idempotent by its id. */
import { z } from 'zod';
import { programAuthority } from '../../../core/authority.ts';
import { head } from '../../../core/cut.ts';
import { AppError } from '../../../core/errors.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import { NOTHING_SAID } from '../../../core/said.ts';
import { ownChat } from '../../../host/delivery-target.ts';
import type { Host } from '../../../host/host.ts';
import { createThrottle, type Throttle } from '../../../host/throttle.ts';
import type { Accepted } from '../../../journal/rows.ts';
import { sha256Hex, uuid } from '../../../platform/ids.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ConnectedNode } from '../connected/connected-nodes.ts';
import type { NodeStore } from '../store/store.ts';
import type { EventOutcome } from './event-outcome.ts';

const MAX_TEXT = 20_000;
const words = z.string().trim().min(1).max(MAX_TEXT);
const sessionKey = z.string().max(512).nullish();
const key = z.string().min(1).max(256).nullish();

/** Where an answer would go, and how long one waits for it, is not for a node to say: those fields are not read. */
const agentRequest = z.looseObject({ message: words, sessionKey, key });
const voiceTranscript = z.looseObject({ text: words, sessionKey, eventId: key });

export interface AgentRequestDeps {
  readonly store: Pick<NodeStore, 'find'>;
  readonly inbox: Pick<Host['inbox'], 'receive'>;
  readonly sessions: Pick<Host['sessions'], 'agentOf' | 'mainKey' | 'canonicalKey'>;
  readonly clock: Pick<Clock, 'now'>;
  /** How often one node may speak to an agent. */
  readonly throttle: Throttle;
  accepting(): boolean;
}

/** What a person at a node says in a minute, and no more: each starts a turn. */
export const createRequestThrottle = (clock: Clock): Throttle => createThrottle({ clock, max: 30, everyMs: 60_000 });

export const agentRequested = (
  node: ConnectedNode,
  payload: unknown,
  deps: AgentRequestDeps,
): Promise<EventOutcome> => {
  const read = agentRequest.safeParse(payload);
  if (!read.success) return Promise.resolve(refused('invalid agent request'));
  const { message, sessionKey: session, key: id } = read.data;
  return take({ kind: 'agent.request', text: message, session, id }, node, deps);
};

export const voiceHeard = (node: ConnectedNode, payload: unknown, deps: AgentRequestDeps): Promise<EventOutcome> => {
  const read = voiceTranscript.safeParse(payload);
  if (!read.success) return Promise.resolve(refused('invalid transcript'));
  const { text, sessionKey: session, eventId } = read.data;
  return take({ kind: 'voice.transcript', text, session, id: eventId }, node, deps);
};

const refused = (reason: string): EventOutcome => ({ handled: false, reason });

interface Said {
  readonly kind: 'agent.request' | 'voice.transcript';
  readonly text: string;
  readonly session: string | null | undefined;
  readonly id: string | null | undefined;
}

/** A node nobody approved says nothing to an agent, and none says anything in a conversation of somebody else. */
async function take(said: Said, node: ConnectedNode, deps: AgentRequestDeps): Promise<EventOutcome> {
  const { store, inbox, sessions } = deps;
  if (!store.find(node.nodeId)) return refused('node not approved');
  const main = sessions.mainKey();
  if (said.session && sessions.canonicalKey(said.session) !== main) return refused('session not open to nodes');
  if (!deps.accepting()) return refused('gateway not ready');
  try {
    deps.throttle.demand(node.nodeId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'rate_limited') return refused('too many requests; wait a minute');
    throw error;
  }
  const runId = `node-${sha256Hex(`${node.nodeId}\0${said.id ?? uuid()}`).slice(0, 32)}`;
  await inbox.receive(messageOf({ said, node, main, runId }, deps), runId);
  return { handled: true };
}

interface Message {
  readonly said: Said;
  readonly node: ConnectedNode;
  readonly main: ReturnType<AgentRequestDeps['sessions']['mainKey']>;
  readonly runId: string;
}

function messageOf({ said, node, main, runId }: Message, { sessions, clock }: AgentRequestDeps): Accepted {
  const agentId = sessions.agentOf(main);
  const replyTo = ownChat(main);
  const name = visibleLine(head(node.facts.displayName ?? node.nodeId.slice(0, 12), 80));
  return {
    message: {
      id: `node:${runId}`,
      address: replyTo,
      sender: { id: `node:${node.nodeId.slice(0, 12)}`, name },
      system: true,
      said: NOTHING_SAID,
      text: `${said.kind === 'voice.transcript' ? 'Spoken' : 'Sent'} at the node ${name}:\n${said.text}`,
      attachments: [],
      addressesBot: true,
      receivedAt: clock.now(),
    },
    route: { agentId, sessionKey: main, matchedBy: 'session', replyTo },
    options: { thinking: 'low' },
    queue: 'followup',
    commands: false,
    authority: programAuthority('node', { agentId, sessionKey: main, address: replyTo }),
  };
}
