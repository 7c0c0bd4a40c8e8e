/** A language model that answers from a script, part by part. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';

/** One request's fate: parts to stream, an error before the first, or a function that decides. */
export type Scripted =
  | readonly ScriptedPart[]
  | Error
  | ((
      options: LanguageModelV4CallOptions,
    ) => readonly ScriptedPart[] | Error | Promise<readonly ScriptedPart[] | Error>);

/**
 * `hang` never continues (and ignores its signal), `wait` continues when the promise resolves, `break` fails the
 * stream.
 */
export type ScriptedPart =
  | LanguageModelV4StreamPart
  | { readonly type: 'hang' }
  | { readonly type: 'wait'; readonly until: Promise<unknown> }
  | { readonly type: 'break'; readonly error: unknown };

export interface ScriptedModel extends LanguageModelV4 {
  /** What was asked, in order. */
  readonly requests: readonly LanguageModelV4CallOptions[];
}

/** The last entry repeats when the script is over. */
export function scriptedModel(
  script: readonly Scripted[],
  { provider = 'fake', modelId = 'scripted' } = {},
): ScriptedModel {
  const requests: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    requests,
    async doStream(options) {
      requests.push(options);
      const entry = script[Math.min(requests.length, script.length) - 1];
      const parts = typeof entry === 'function' ? await entry(options) : entry;
      if (!parts) throw new Error('The script of the model is empty.');
      if (parts instanceof Error) throw parts;
      return { stream: streamOf(parts) };
    },
    doGenerate: () => Promise.reject(new Error('The scripted model only streams.')),
  };
}

function streamOf(parts: readonly ScriptedPart[]): ReadableStream<LanguageModelV4StreamPart> {
  const queue = [...parts];
  const pull = async (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): Promise<void> => {
    const part = queue.shift();
    if (!part) return controller.close();
    switch (part.type) {
      case 'hang':
        return new Promise(() => undefined);
      case 'break':
        return controller.error(part.error);
      case 'wait':
        await part.until;
        return pull(controller);
      default:
        return controller.enqueue(part);
    }
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

export const usage = (input: number, output: number): LanguageModelV4Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
});

export const finish = (
  unified: LanguageModelV4FinishReason['unified'] = 'stop',
  counts = usage(10, 5),
): LanguageModelV4StreamPart => ({ type: 'finish', finishReason: { unified, raw: unified }, usage: counts });

/** The parts of a text, one delta each. */
export const text = (...deltas: readonly string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];

export const thinking = (...deltas: readonly string[]): LanguageModelV4StreamPart[] => [
  { type: 'reasoning-start', id: 'r' },
  ...deltas.map((delta): LanguageModelV4StreamPart => ({ type: 'reasoning-delta', id: 'r', delta })),
  { type: 'reasoning-end', id: 'r' },
];

export const call = (id: string, name: string, input: unknown = {}): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
});

/** A whole answer that says `words`. */
export const says = (words: string): LanguageModelV4StreamPart[] => [...text(words), finish()];
/** A whole answer that calls tools. */
export const calls = (...parts: readonly LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] => [
  ...parts,
  finish('tool-calls'),
];
