/** Sample rows, answers and turns for journals. */
import { noUsage, type AssistantMessage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import { accepted } from './sample-inbound.ts';
import type { Journal } from '../journal/journal.ts';
import type { NewOutboxRow } from '../journal/rows.ts';

export const reply = (token: string, text = token): NewOutboxRow => ({
  token,
  runId: 'r1',
  sessionKey: 'agent:main:main',
  address: accepted().message.address,
  payload: { kind: 'final', text },
});

export const done: TurnOutcome = { kind: 'done', text: 'ok', usage: noUsage };

export const answer = (
  text: string,
  content: AssistantMessage['content'] = [{ type: 'text', text }],
): AssistantMessage => ({
  role: 'assistant',
  content,
  timestamp: 1,
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason: 'stop',
});

export const begin = (journal: Journal, id: string, seqs: number[]) =>
  journal.turns.begin({ id, sessionKey: 'agent:main:main', agentId: 'main', sessionId: 's1', seqs });
