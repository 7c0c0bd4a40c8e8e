/**
 * Creates the candidate models: finds and describes them, and opens each one on first use, once for the same settings.
 */
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { ChatModel } from '../../core/provider.ts';
import { onFailure } from '../../platform/settled.ts';
import type { AgentsConfig, ModelsConfig } from '../config.ts';
import type { ModelCandidate } from './candidate.ts';
import type { ChosenRef } from './choose-model.ts';
import { findProvider, type FoundProvider, type ProviderFinder } from './find-provider.ts';
import { modelInfo } from './model-info.ts';
import { parseModelRef, refText, type ModelRef } from './model-ref.ts';

export interface CandidatesDeps {
  config(): { readonly agents: AgentsConfig; readonly models: ModelsConfig };
  readonly log: Log;
}

export interface Candidates {
  /** Rejects where its vendor is not known. */
  of(ref: ChosenRef): Promise<ModelCandidate>;
  /** A model that the configuration also names; undefined, with a log entry, if it does not exist. */
  fallback(written: string): Promise<ModelCandidate | undefined>;
}

export function createCandidates(deps: CandidatesDeps, finder: () => ProviderFinder): Candidates {
  const opened = new Map<string, Promise<ChatModel>>();

  const open = ({ provider, settings }: FoundProvider, modelId: string): Promise<ChatModel> => {
    const key = JSON.stringify([provider.id, modelId, { ...settings, models: undefined }]);
    const known = opened.get(key);
    if (known) return known;
    const model = Promise.resolve().then(() => provider.chat(modelId, settings));
    opened.set(key, model);
    // A model that could not be created is tried again next time, when its key may exist. The caller gets the error.
    onFailure(model, () => opened.delete(key));
    return model;
  };

  const candidate = async ({ provider, modelId, source }: ChosenRef): Promise<ModelCandidate> => {
    const found = await findProvider(provider, finder());
    const info = modelInfo(modelId, found.known);
    return {
      provider,
      modelId,
      source,
      info,
      api: found.api,
      params: paramsOf(deps.config().agents, { provider, modelId }),
      open: () => open(found, modelId),
      thinkingOptions: (level) =>
        info.reasoning ? { ...found.provider.thinking?.(level, modelId), thinking: { level } } : undefined,
    };
  };

  const fallback = async (written: string): Promise<ModelCandidate | undefined> => {
    try {
      return await candidate({ ...parseModelRef(written, deps.config()), source: 'config' });
    } catch (error) {
      const { code, message } = asAppError(error);
      if (code !== 'invalid' && code !== 'not_found' && code !== 'unsupported') throw error;
      deps.log.warn('models.fallback-unknown', { model: written, problem: message });
      return undefined;
    }
  };

  return { of: candidate, fallback };
}

function paramsOf({ defaults }: AgentsConfig, ref: ModelRef): ModelCandidate['params'] {
  const params = defaults.models[refText(ref)]?.params ?? {};
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => params[name]).find((value) => typeof value === 'number');
  const [temperature, topP, maxOutputTokens] = [
    number('temperature'),
    number('topP'),
    number('maxTokens', 'maxOutputTokens'),
  ];
  return present({ temperature, topP, maxOutputTokens });
}
