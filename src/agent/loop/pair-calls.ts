/**
 * Pairs the tool calls of a conversation with their results, because vendors reject a call or result without its pair.
 */
import type {
  AssistantMessage,
  Message,
  ToolCallBlock,
  ToolResultMessage,
  UserMessage,
} from '../../core/transcript.ts';

export interface PairedCall {
  readonly call: ToolCallBlock;
  readonly result: ToolResultMessage;
}

/** One thing said in a conversation; an assistant's calls carry their results. */
export type Exchange =
  | { readonly role: 'user'; readonly message: UserMessage }
  | { readonly role: 'assistant'; readonly message: AssistantMessage; readonly calls: readonly PairedCall[] };

/**
 * A result belongs to the last call with its id before it; later results for the same call and results without a call
 * are
 * dropped. A call without a result gets an error result. Calls of an answer that was cut off are dropped: nobody ran
 * them.
 */
export function pairCalls(messages: readonly Message[]): readonly Exchange[] {
  const results = matchResults(messages);
  return messages.flatMap((message): Exchange[] => {
    if (message.role === 'user') return [{ role: 'user', message }];
    if (message.role === 'toolResult') return [];
    return [
      {
        role: 'assistant',
        message,
        calls: callsOf(message).map((call) => ({
          call,
          result: results.get(call) ?? missing(call, message.timestamp),
        })),
      },
    ];
  });
}

const wasCutOff = (message: AssistantMessage): boolean =>
  message.stopReason === 'aborted' || message.stopReason === 'error';

const callsOf = (message: AssistantMessage): readonly ToolCallBlock[] =>
  wasCutOff(message) ? [] : message.content.filter((block) => block.type === 'toolCall');

function matchResults(messages: readonly Message[]): ReadonlyMap<ToolCallBlock, ToolResultMessage> {
  const open = new Map<string, ToolCallBlock>();
  const results = new Map<ToolCallBlock, ToolResultMessage>();
  for (const message of messages) {
    if (message.role === 'assistant') for (const call of callsOf(message)) open.set(call.id, call);
    if (message.role !== 'toolResult') continue;
    const call = open.get(message.toolCallId);
    if (!call) continue;
    results.set(call, message);
    open.delete(message.toolCallId);
  }
  return results;
}

const missing = (call: ToolCallBlock, timestamp: number): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: call.id,
  toolName: call.name,
  content: [{ type: 'text', text: 'No result provided' }],
  isError: true,
  timestamp,
});
