/** What a prompt says, in the few words the concierge needs. Pure. */
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { takeApart, type SeenNote } from './notes.ts';

export interface View {
  /** All text of the newest message. */
  readonly raw: string;
  /** The newest message of the person, without envelope and notes. */
  readonly ask: string;
  /** What was added to it: transcripts, descriptions, files, link summaries. */
  readonly notes: readonly SeenNote[];
  readonly images: number;
  /** Messages of earlier turns, both sides. */
  readonly earlier: number;
  readonly tools: readonly string[];
  /** `agent`, `channel`, `model` … from the runtime line of the system prompt. */
  readonly runtime: Readonly<Record<string, string>>;
  readonly systemLength: number;
  /** Messages before the newest one that nobody has answered yet: what the gateway noted in between. */
  readonly unanswered: readonly string[];
  /** Results that came back for the newest message, in order. */
  readonly results: readonly SeenResult[];
  /** Those of earlier messages. */
  readonly earlierResults: readonly SeenResult[];
  /** Calls so far in the whole conversation. */
  readonly callCount: number;
  /** The system prompt asks for a summary of a conversation, not for an answer. */
  readonly wantsSummary: boolean;
}

export interface SeenResult {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly failed: boolean;
  readonly images: number;
}

export function readPrompt({ prompt, tools = [] }: LanguageModelV4CallOptions): View {
  const at = prompt.findLastIndex(isQuestion);
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join('\n');
  const question = prompt[at];
  const parts = question?.role === 'user' ? question.content : [];
  const raw = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return {
    raw,
    ...takeApart(raw),
    images: parts.filter((part) => part.type === 'file').length,
    earlier: prompt.slice(0, Math.max(0, at)).filter(({ role }) => role === 'user' || role === 'assistant').length,
    tools: tools.map(({ name }) => name),
    runtime: runtimeOf(system),
    systemLength: system.length,
    unanswered: unansweredIn(prompt.slice(0, Math.max(0, at))),
    results: resultsIn(prompt.slice(at + 1)),
    earlierResults: resultsIn(prompt.slice(0, Math.max(0, at))),
    callCount: prompt.reduce(
      (sum, message) =>
        sum + (message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool-call').length : 0),
      0,
    ),
    wantsSummary: /\bsummary\b/i.test(system) && tools.length === 0 && !/## Runtime/.test(system),
  };
}

function unansweredIn(before: LanguageModelV4Prompt): readonly string[] {
  const since = before.slice(before.findLastIndex(({ role }) => role === 'assistant') + 1);
  return since.flatMap((message) =>
    message.role === 'user' ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
}

/** A message of the person's. Pictures from tools may follow their results in the form of one; those ask nothing. */
function isQuestion(message: LanguageModelV4Prompt[number], index: number, prompt: LanguageModelV4Prompt): boolean {
  if (message.role !== 'user') return false;
  const [first] = message.content;
  return !(
    prompt[index - 1]?.role === 'tool' &&
    first?.type === 'text' &&
    first.text.startsWith('Shown by ') &&
    message.content.some(({ type }) => type === 'file')
  );
}

/** `agent=main | host=box | channel=webchat` under the heading Runtime, or on a line of that name. */
function runtimeOf(system: string): Record<string, string> {
  const line = /^(?:#+ *)?Runtime:?[ \t]{0,8}\n?(?=.*=)(.*)$/im.exec(system)?.[1] ?? '';
  return Object.fromEntries(
    line.split(' | ').flatMap((field) => {
      const [, name, value] = /^\s*(\w+)=(.*)$/.exec(field) ?? [];
      return name && value ? [[name, value.trim()]] : [];
    }),
  );
}

function resultsIn(prompt: LanguageModelV4Prompt): readonly SeenResult[] {
  const inputs = new Map(
    prompt.flatMap((message) =>
      message.role === 'assistant'
        ? message.content.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, part.input] as const] : []))
        : [],
    ),
  );
  return prompt.flatMap((message) =>
    message.role === 'tool'
      ? message.content.flatMap((part) =>
          part.type === 'tool-result' ? [seen(part, inputs.get(part.toolCallId))] : [],
        )
      : [],
  );
}

function seen({ toolName, output }: LanguageModelV4ToolResultPart, input: unknown): SeenResult {
  const blocks = output.type === 'content' ? output.value : [];
  const text =
    output.type === 'content'
      ? blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
      : output.type === 'execution-denied'
        ? (output.reason ?? 'denied')
        : typeof output.value === 'string'
          ? output.value
          : JSON.stringify(output.value, null, 2);
  return {
    tool: toolName,
    input: typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {},
    text,
    failed: output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied',
    images: blocks.filter(({ type }) => type === 'file').length,
  };
}
