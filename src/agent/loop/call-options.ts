/** Builds the request for one candidate model: prompt, tools and settings in the terms of the AI SDK. */
import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolChoice,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { present } from '../../core/present.ts';
import type { Message } from '../../core/transcript.ts';
import { schemaFor } from '../schema/schema-for.ts';
import type { LoopInput, LoopModel } from './loop-input.ts';
import { toPrompt } from './to-prompt.ts';

export function callOptions(
  input: LoopInput,
  model: LoopModel,
  { messages, stepIndex }: { messages: readonly Message[]; stepIndex: number },
): LanguageModelV4CallOptions {
  const tools = functionTools(input, model);
  const maxOutputTokens =
    input.maxOutputTokens ??
    model.params.maxOutputTokens ??
    (model.api === 'anthropic-messages' ? model.info.maxTokens : undefined);
  const thinking = input.thinking ? model.thinkingOptions(input.thinking) : undefined;
  return {
    prompt: toPrompt({
      system: input.system,
      messages,
      target: {
        provider: model.provider,
        modelId: model.modelId,
        api: model.api,
        images: model.info.input?.includes('image') ?? true,
      },
    }),
    ...(tools.length ? { tools, toolChoice: toolChoice(input.toolChoice, stepIndex) } : {}),
    ...model.params,
    ...present({
      maxOutputTokens,
      temperature: input.temperature,
      topP: input.topP,
      providerOptions: thinking ? (thinking as SharedV4ProviderOptions) : undefined,
    }),
  };
}

function functionTools({ tools, clientTools = [] }: LoopInput, { api }: LoopModel): LanguageModelV4FunctionTool[] {
  const own = tools.map(
    (tool): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: schemaFor(api, tool) as JSONSchema7,
    }),
  );
  const theirs = clientTools.map(
    (tool): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: tool.name,
      ...present({ description: tool.description }),
      inputSchema: schemaFor(api, tool) as JSONSchema7,
    }),
  );
  return [...own, ...theirs];
}

function toolChoice(choice: LoopInput['toolChoice'], stepIndex: number): LanguageModelV4ToolChoice {
  if (choice === 'none') return { type: 'none' };
  if (choice === undefined || choice === 'auto' || stepIndex > 0) return { type: 'auto' };
  return choice === 'required' ? { type: 'required' } : { type: 'tool', toolName: choice.tool };
}
