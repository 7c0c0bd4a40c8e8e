/** Names for the protocol types that the page uses; the types come from `src/protocol`. */
import type { AnsweredMethod, Answers, EventPayloads } from '../../../src/protocol/answers.ts';
import type { WireMessage } from '../../../src/protocol/answers/messages.ts';
import type { EventFrame, ResponseFrame } from '../../../src/protocol/frames.ts';
import type { MethodParameters } from '../../../src/protocol/parameters.ts';

export type { WireBlock, WireMessage } from '../../../src/protocol/answers/messages.ts';
export type { PerformanceReport } from '../../../src/protocol/answers/system.ts';
export type { PresenceChangedEvent, PresenceEntry } from '../../../src/protocol/answers/presence.ts';
export type { WireError } from '../../../src/protocol/errors.ts';
export type { EventFrame, RequestFrame, ResponseFrame } from '../../../src/protocol/frames.ts';
export type Frame = ResponseFrame | EventFrame;

/**
 * Calls a method of the gateway; the name determines the types of parameters and answer. Rejects with `RequestError`.
 */
export type Ask = <M extends AnsweredMethod>(
  method: M,
  ...args: Record<never, never> extends ParametersOf<M>
    ? [params?: ParametersOf<M>, options?: AskOptions]
    : [params: ParametersOf<M>, options?: AskOptions]
) => Promise<Answers[M]>;

export interface AskOptions {
  /** Milliseconds; by default the timeout of the connection. */
  readonly timeoutMs?: number;
}

/** Parameter types of feature methods are not shared. */
type ParametersOf<M> = M extends keyof MethodParameters ? MethodParameters[M] : object;

export type Hello = Answers['connect'];
/** A row of the list; a conversation that exists only on this page has just a key. */
export type SessionRow = Partial<Omit<ListedSession, 'key' | 'updatedAt'>> & {
  readonly key: string;
  readonly updatedAt?: number | null;
  /** The name of its agent, if there are several. */
  readonly agentName?: string;
};
type ListedSession = Answers['sessions.list']['sessions'][number];
export type PersonMessage = Extract<WireMessage, { readonly role: 'user' }>;
export type AgentMessage = Extract<WireMessage, { readonly role: 'assistant' }>;
export type ResultMessage = Extract<WireMessage, { readonly role: 'toolResult' }>;
/** As in `chat` events. */
export type StreamedMessage = NonNullable<ChatEvent['message']>;
export type ChatHistory = Answers['chat.history'];
export type ChatSendResult = Answers['chat.send'];
export type ChatEvent = EventPayloads['chat'];
export type TextDelta = EventPayloads['chat.delta'];
export type AgentEvent = EventPayloads['agent'];
export type SessionsChangedEvent = EventPayloads['sessions.changed'];
export type Timeline = Answers['chat.timeline'];
export type TimelineEntry = Timeline['entries'][number];
/** One attempt to understand a link or an attachment. */
export type TimelineStep = NonNullable<TimelineEntry['steps']>[number];

export type Understands = Answers['understanding.status']['abilities'][number];
export type Agent = Answers['agents.list']['agents'][number];
export type ConfigSnapshot = Answers['config.get'];
export type ConfigVersion = Answers['config.history']['versions'][number];
export type ConfigIssue = ConfigSnapshot['issues'][number];

export type ChannelsStatus = Answers['channels.status'];
export type ChannelAccount = ChannelsStatus['channelAccounts'][string][number];
export type ChannelProblem = ChannelAccount['problems'][number];
/** A channel, configured or not. */
export type ChannelOffer = Answers['channels.capabilities']['channels'][number];
/** The state of a login, and what the phone needs for it. */
export type LoginStep = Answers['web.login.start'];
export type SeenMessage = Answers['access.recent']['messages'][number];
export type Pairing = Answers['channel.pairing.list']['pending'][number];
export type AccessExplained = Answers['access.explain'];
export type AccessAnswer = NonNullable<AccessExplained['acts']>[number];
export type AccessExtent = AccessExplained['reaches'][number];

export type ApprovalRequested = EventPayloads['exec.approval.requested'];
export type ApprovalResolved = EventPayloads['exec.approval.resolved'];
export type ProcessView = EventPayloads['process.changed']['process'];
export type ProcessLog = Answers['process.log'];
export type ToolsExplained = Answers['tools.explain'];
export type ToolDecision = ToolsExplained['tools'][number];
export type SandboxExplained = Answers['sandbox.explain'];
