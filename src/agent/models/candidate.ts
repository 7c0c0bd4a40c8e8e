/** A model the loop may use for a turn, with the facts needed before it is opened. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ChatModel, ModelInfo, ProviderApi } from '../../core/provider.ts';
import type { ThinkingLevel } from '../../core/turn.ts';

/** Why this model was chosen; shown to people. */
export type ModelSource = 'config' | 'environment' | 'ollama' | 'offline';

export interface ModelCandidate {
  readonly provider: string;
  readonly modelId: string;
  /** The wire format; undefined for models without a wire. Decides the tool schema dialect. */
  readonly api: ProviderApi | undefined;
  readonly source: ModelSource;
  readonly info: CandidateInfo;
  /** Call settings from `agents.defaults.models.<ref>.params`. */
  readonly params: Pick<LanguageModelV4CallOptions, 'temperature' | 'topP' | 'maxOutputTokens'>;
  /** Opened once per settings. Rejects with `AppError('auth')` when a key is missing; no network traffic. */
  open(): Promise<ChatModel>;
  /** Provider options of the call for a level; undefined when the model cannot think. */
  thinkingOptions(level: ThinkingLevel): Readonly<Record<string, Record<string, unknown>>> | undefined;
}

export interface CandidateInfo extends ModelInfo {
  /** Tokens. */
  readonly contextWindow: number;
  /** False: unknown, and `contextWindow` is a conservative default. */
  readonly contextWindowKnown: boolean;
}
