/**
 * The models of the running gateway: the fallback chain of an agent, the list for users, and one instance of each
 * model.
 */
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { ModelInfo, Provider } from '../../core/provider.ts';
import type { AgentsConfig, ModelsConfig } from '../config.ts';
import { resolveAgent } from '../resolve-agent.ts';
import type { ModelCandidate, ModelSource } from './candidate.ts';
import { chooseUnconfigured, createOllamaProbe, knownVendors, OFFLINE, type ChosenRef } from './choose-model.ts';
import { createCandidates } from './create-candidates.ts';
import { findMedia, type FoundMedia } from './find-media.ts';
import { findProvider, keyFromEnv, type ProviderFinder } from './find-provider.ts';
import { listedModels } from './model-info.ts';
import { aliases, parseModelRef, refText, type ModelRef } from './model-ref.ts';
import { tryModel } from './try-model.ts';
import { vendorStates, type VendorState } from './vendor-states.ts';

export interface ModelsDeps {
  /** The live configuration; asked at every choice. */
  config(): { readonly agents: AgentsConfig; readonly models: ModelsConfig };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  loadProvider(id: string): Promise<Provider | undefined>;
  providerIds(): Promise<readonly string[]>;
  /** Milliseconds; only differences matter. */
  now(): number;
}

export interface ListedModel {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly contextWindow?: number;
  readonly reasoning?: boolean;
  readonly input?: readonly string[];
}

export interface ModelDescription {
  readonly provider: string;
  readonly model: string;
  readonly source: ModelSource;
}

export interface Models {
  /**
   * The model for an agent and its fallbacks, never empty. `override` (`provider/model` or an alias) takes the place of
   * the primary. A name nobody knows rejects with advice; a fallback nobody knows is left out with a warning.
   */
  choose(agentId?: string, override?: string): Promise<readonly ModelCandidate[]>;
  /**
   * The model a person means who picks one for a conversation: an alias, one of the list, or of a family we know.
   * Undefined for other models of a known provider: configuration may name them, a slip of the pen should not.
   */
  pick(written: string): Promise<ModelRef | undefined>;
  /**
   * Whether a model (`provider/model` or an alias) takes pictures; undefined when nobody told, or there is no such
   * vendor.
   */
  sees(written: string): Promise<boolean | undefined>;
  /** What one can choose from now: configured, reachable with a key from the environment, found on Ollama, offline. */
  list(): Promise<readonly ListedModel[]>;
  /** The providers one can set up, with a key or without. */
  vendors(): Promise<readonly VendorState[]>;
  /** Asks the model that `written` names for one short answer. Rejects with the `AppError` of the provider. */
  tryOut(written: string, signal: AbortSignal): Promise<string>;
  /** What a vendor can do with pictures, recordings and films; undefined when there is no such vendor or it cannot. */
  media(provider: string): Promise<FoundMedia | undefined>;
  /** The default agent's model without looking anywhere: as configured, else as last chosen. */
  describe(): ModelDescription;
}

export function createModels(deps: ModelsDeps): Models {
  const ollama = createOllamaProbe(deps);
  const finder = (): ProviderFinder => ({
    models: deps.config().models,
    env: deps.env,
    loadProvider: deps.loadProvider,
    providerIds: deps.providerIds,
  });
  const candidates = createCandidates(deps, finder);
  let lastFound: ModelDescription = { provider: OFFLINE.provider, model: OFFLINE.modelId, source: 'offline' };

  const chain = async (
    agentId: string | undefined,
    override: string | undefined,
  ): Promise<{ primary: ChosenRef; fallbacks: readonly string[] }> => {
    const config = deps.config();
    const { primary, fallbacks } = resolveAgent(config, agentId).model;
    const written = override ?? primary;
    if (written !== undefined) return { primary: { ...parseModelRef(written, config), source: 'config' }, fallbacks };
    const chosen = await chooseUnconfigured(finder(), ollama);
    lastFound = { provider: chosen.provider, model: chosen.modelId, source: chosen.source };
    return { primary: chosen, fallbacks };
  };

  const list = async (): Promise<readonly ListedModel[]> => {
    const { models } = deps.config();
    const withKey = (await knownVendors(deps)).filter((vendor) => keyFromEnv(vendor, deps.env));
    const ids = new Set([...Object.keys(models.providers), ...withKey.map((vendor) => vendor.id), OFFLINE.provider]);
    const known = await Promise.all([...ids].map((id) => modelsOf(id, finder())));
    const local = ids.has('ollama') ? [] : ((await ollama()) ?? []).map((model) => listed('ollama', model));
    return [...known.flat(), ...local];
  };

  return {
    list,
    async choose(agentId, override) {
      const { primary, fallbacks } = await chain(agentId, override);
      const first = await candidates.of(primary);
      const rest = await Promise.all(fallbacks.map(candidates.fallback));
      return distinct([first, ...rest.filter((one) => one !== undefined)]);
    },
    async pick(written) {
      const found = (await list()).find(({ provider, id }) => `${provider}/${id}` === written || id === written);
      if (found) return { provider: found.provider, modelId: found.id };
      const ref = parseModelRef(written, deps.config());
      const isAlias = Object.values(aliases(deps.config())).includes(refText(ref));
      return isAlias || (await candidates.of({ ...ref, source: 'config' })).info.contextWindowKnown ? ref : undefined;
    },
    async sees(written) {
      const found = await candidates.fallback(written);
      return found?.info.input?.includes('image');
    },
    vendors: () => vendorStates(finder(), ollama),
    tryOut: async (written, signal) =>
      tryModel(await candidates.of({ ...parseModelRef(written, deps.config()), source: 'config' }), signal),
    media: (provider) => findMedia(provider, finder()),
    describe() {
      const config = deps.config();
      const { primary } = resolveAgent(config).model;
      return primary === undefined ? lastFound : described(primary, config);
    },
  };
}

/** A provider that cannot be found has no models to list; `choose` says why. */
async function modelsOf(id: string, finder: ProviderFinder): Promise<readonly ListedModel[]> {
  const found = await findProvider(id, finder).catch((error: unknown) => {
    if (['not_found', 'unsupported'].includes(asAppError(error).code)) return undefined;
    throw error;
  });
  return found ? listedModels(found.known).map((model) => listed(id, model)) : [];
}

const listed = (provider: string, { id, name, contextWindow, reasoning, input }: ModelInfo): ListedModel =>
  present({ id, name: name ?? id, provider, contextWindow, reasoning, input });

function described(written: string, config: { agents: AgentsConfig; models: ModelsConfig }): ModelDescription {
  try {
    const { provider, modelId } = parseModelRef(written, config);
    return { provider, model: modelId, source: 'config' };
  } catch (error) {
    if (asAppError(error).code !== 'invalid') throw error;
    return { provider: 'unknown', model: written, source: 'config' };
  }
}

const distinct = (candidates: readonly ModelCandidate[]): readonly ModelCandidate[] =>
  candidates.filter((one, index) => candidates.findIndex((other) => refText(other) === refText(one)) === index);
