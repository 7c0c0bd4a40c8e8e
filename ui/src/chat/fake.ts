/** Complete messages and events as a gateway sends them, for tests. */
import type { AgentEvent, AgentMessage, ChatEvent, PersonMessage, ResultMessage, WireBlock } from '../gateway/wire.ts';

export const KEY = 'agent:main:main';
const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

const blocks = <B extends WireBlock>(
  content: string | readonly B[],
): readonly (B | { type: 'text'; text: string })[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

export const fakePerson = (
  content: string | PersonMessage['content'],
  more: Partial<PersonMessage> = {},
): PersonMessage => ({ role: 'user', content: blocks(content), timestamp: 10, __openclaw: {}, ...more });

export const fakeAnswer = (
  content: string | AgentMessage['content'],
  { output, ...more }: Partial<AgentMessage> & { readonly output?: number } = {},
): AgentMessage => ({
  role: 'assistant',
  content: blocks(content),
  timestamp: 20,
  provider: 'fake',
  model: 'model',
  usage: { ...NO_USAGE, output: output ?? 0 },
  stopReason: 'stop',
  __openclaw: {},
  ...more,
});

export const fakeResult = (
  content: string | ResultMessage['content'],
  more: Partial<ResultMessage> = {},
): ResultMessage => ({
  role: 'toolResult',
  toolCallId: 'c1',
  toolName: 'read',
  content: blocks(content),
  isError: false,
  timestamp: 27,
  __openclaw: {},
  ...more,
});

const head = (seq: number, runId: string, sessionKey: string) => ({ runId, sessionKey, agentId: 'main', seq });
const said = (text: string, more: object = {}) =>
  ({
    role: 'assistant',
    content: text === '' ? [] : [{ type: 'text', text } as const],
    timestamp: 1,
    ...more,
  }) as const;

export const fakeDelta = (
  seq: number,
  [deltaText, whole]: readonly [delta: string, whole: string],
  { runId = 'r', sessionKey = KEY, replace = false } = {},
): ChatEvent => ({
  ...head(seq, runId, sessionKey),
  state: 'delta',
  deltaText,
  message: said(whole),
  ...(replace ? { replace } : {}),
});

/** Without a text there is no message. */
export const fakeFinal = (
  seq: number,
  text: string | undefined,
  { runId = 'r', sessionKey = KEY, ...more }: { runId?: string; sessionKey?: string; files?: unknown } = {},
): ChatEvent => ({
  ...head(seq, runId, sessionKey),
  state: 'final',
  ...(text === undefined ? {} : { message: said(text, more) }),
});

export const fakeAborted = (seq: number, runId = 'r'): ChatEvent => ({ ...head(seq, runId, KEY), state: 'aborted' });

export const fakeFailure = (seq: number, errorMessage: string, runId = 'r'): ChatEvent => ({
  ...head(seq, runId, KEY),
  state: 'error',
  errorMessage,
  errorKind: 'unknown',
});

export const fakeAgentEvent = (
  stream: AgentEvent['stream'],
  data: Readonly<Record<string, unknown>>,
  { runId = 'r', ts = 1 } = {},
): AgentEvent => ({ runId, seq: 0, stream, ts, data: { sessionKey: KEY, ...data } });
