/**
 * Wraps a vendor's model: one error class, streams that never throw and end once, one setting for the thinking level.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { ChatModel, Provider, ProviderSettings, VendorPreset } from '../core/provider.ts';
import { modelError, type ModelErrorContext } from './model-error.ts';

/** What a vendor's models need done around a call. */
export interface ModelManners {
  /** What the model was built from; errors name it, and never show its key. */
  readonly settings: ProviderSettings;
  readonly vendor: Pick<Provider | VendorPreset, 'id' | 'envKeys'>;
  /** Vendor options sent with every call; those of the call win. */
  readonly options?: SharedV4ProviderOptions;
}

/**
 * `doStream` and `doGenerate` reject with `AppError` only. A stream ends with exactly one `finish` part, or with one
 * `error` part carrying an `AppError`; it never errors itself. Nothing is retried here.
 */
export function withManners(model: ChatModel, manners: ModelManners): ChatModel {
  const { settings, vendor } = manners;
  const envKeys = settings.id === vendor.id ? vendor.envKeys : undefined;
  const context = (signal: AbortSignal | undefined): ModelErrorContext => ({
    provider: settings.id,
    modelId: model.modelId,
    envKeys,
    apiKey: settings.apiKey,
    signal,
  });
  const prepare = (call: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...reasoningOf(call),
    ...call,
    ...present({ providerOptions: manners.options ? mergeOptions(manners.options, call.providerOptions) : undefined }),
  });
  return {
    specificationVersion: 'v4',
    provider: settings.id,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(call) {
      try {
        return await model.doGenerate(prepare(call));
      } catch (error) {
        throw modelError(error, context(call.abortSignal));
      }
    },
    async doStream(call) {
      try {
        call.abortSignal?.throwIfAborted();
        const result = await model.doStream(prepare(call));
        return { ...result, stream: calm(result.stream, context(call.abortSignal)) };
      } catch (error) {
        throw modelError(error, context(call.abortSignal));
      }
    },
  };
}

/** Vendor options joined per vendor key; the second wins. */
export function mergeOptions(
  base: SharedV4ProviderOptions,
  over: SharedV4ProviderOptions | undefined,
): SharedV4ProviderOptions {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over ?? {})) merged[key] = { ...merged[key], ...value };
  return merged;
}

/**
 * `providerOptions.thinking.level` is how the gateway asks any vendor to think; the libraries know what each model
 * makes of it.
 */
function reasoningOf({ providerOptions }: LanguageModelV4CallOptions): Pick<LanguageModelV4CallOptions, 'reasoning'> {
  const level = providerOptions?.['thinking']?.['level'];
  if (level === 'off') return { reasoning: 'none' };
  return level === 'minimal' || level === 'low' || level === 'medium' || level === 'high' || level === 'xhigh'
    ? { reasoning: level }
    : {};
}

const FRAMING: readonly string[] = ['stream-start', 'response-metadata', 'raw', 'ping'];

function calm(
  inner: ReadableStream<LanguageModelV4StreamPart>,
  context: ModelErrorContext,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = inner.getReader();
  let spoke = false;
  const fail = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>, error: unknown): void => {
    controller.enqueue({ type: 'error', error: modelError(error, context) });
    controller.close();
    reader.cancel().catch(reportedAlready);
  };
  const cutOff = (): AppError =>
    spoke
      ? new AppError('network', `${context.provider} ended the answer before it was complete.`)
      : new AppError('bad_response', `${context.provider} returned nothing.`);
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value: part } = await reader.read();
        if (done) return fail(controller, cutOff());
        if (part.type === 'error') return fail(controller, isEndWithoutMark(part.error) ? cutOff() : part.error);
        if (part.type === 'finish' && isCutOff(part, spoke)) return fail(controller, cutOff());
        spoke ||= !FRAMING.includes(part.type);
        controller.enqueue(part);
        if (part.type !== 'finish') return;
        controller.close();
        void drain(reader);
      } catch (error) {
        fail(controller, error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** How one of the libraries says the same. */
const isEndWithoutMark = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_InvalidResponseDataError' && error.message.includes('ended without');

/** The reader has the end of the answer, or its error; how the connection goes down after that changes nothing. */
const reportedAlready = (): void => undefined;

/**
 * Reads what follows the end mark, so that the connection can be used again; gives a server that never closes one
 * second.
 */
async function drain(reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>): Promise<void> {
  const giveUp = setTimeout(() => void reader.cancel().catch(reportedAlready), 1000);
  giveUp.unref();
  const toTheEnd = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  await toTheEnd().catch(reportedAlready);
  clearTimeout(giveUp);
}

/** The vendor's stream closed without its own end mark. */
function isCutOff(part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>, spoke: boolean): boolean {
  const { unified, raw } = part.finishReason;
  return unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined && !spoke);
}
