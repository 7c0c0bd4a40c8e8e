/** Reads a model's stream to its end and summarizes it. */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ChatModel } from '../core/provider.ts';

export interface Heard {
  text: string;
  thinking: string;
  readonly deltas: string[];
  readonly calls: { id: string; name: string; input: unknown }[];
  usage?: LanguageModelV4Usage;
  finish?: string;
  /** What an `error` part carried. */
  error?: unknown;
  readonly parts: LanguageModelV4StreamPart[];
}

/** A prompt of one person saying one thing. */
export const asks = (text: string): Pick<LanguageModelV4CallOptions, 'prompt'> => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
});

/** Rejects when the call itself is refused; `onPart` sees each part as it comes. */
export async function readStream(
  model: ChatModel,
  options: LanguageModelV4CallOptions,
  onPart?: (heard: Heard) => void,
): Promise<Heard> {
  const heard: Heard = { text: '', thinking: '', deltas: [], calls: [], parts: [] };
  const { stream } = await model.doStream(options);
  for await (const part of stream) {
    collect(heard, part);
    onPart?.(heard);
  }
  return heard;
}

function collect(heard: Heard, part: LanguageModelV4StreamPart): void {
  heard.parts.push(part);
  switch (part.type) {
    case 'text-delta':
      heard.text += part.delta;
      if (part.delta) heard.deltas.push(part.delta);
      return;
    case 'reasoning-delta':
      heard.thinking += part.delta;
      return;
    case 'tool-call':
      heard.calls.push({ id: part.toolCallId, name: part.toolName, input: JSON.parse(part.input) });
      return;
    case 'finish':
      heard.usage = part.usage;
      heard.finish = part.finishReason.unified;
      return;
    case 'error':
      heard.error = part.error;
      return;
    default:
  }
}
