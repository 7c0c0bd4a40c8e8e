/** How `/model` and `/new` list and select models. */
import type { AgentsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { aliases } from '../../agent/models/model-ref.ts';
import { AppError } from '../../core/errors.ts';
import type { ModelService, NamedModel } from '../commands/command-host.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { modelOverride } from '../../sessions/model-override.ts';

export interface ModelServiceDeps {
  readonly models: Models;
  readonly sessions: Sessions;
  config(): { readonly agents: AgentsConfig };
}

export function createModelService({ models, sessions, config }: ModelServiceDeps): ModelService {
  return {
    /** Those with an alias first, for somebody chose them. */
    async list() {
      const named = Object.entries(aliases(config())).map(
        ([alias, ref]): NamedModel => ({
          provider: ref.slice(0, ref.indexOf('/')),
          id: ref.slice(ref.indexOf('/') + 1),
          alias,
        }),
      );
      const others = (await models.list()).filter(
        ({ provider, id }) => !named.some((one) => one.provider === provider && one.id === id),
      );
      return [...named, ...others.map(({ provider, id }): NamedModel => ({ provider, id }))];
    },

    async current(key) {
      const entry = sessions.peek(key);
      const override = entry && modelOverride(entry);
      const [first, ...fallbacks] = await models.choose(sessions.agentOf(key), override || undefined);
      return {
        model: `${first!.provider}/${first!.modelId}`,
        source: first!.source,
        chosen: Boolean(override),
        fallbacks: fallbacks.map(({ provider, modelId }) => `${provider}/${modelId}`),
      };
    },

    async choose(key, reference) {
      try {
        const [chosen] = await models.choose(sessions.agentOf(key), reference);
        await sessions.patch(key, { providerOverride: chosen!.provider, modelOverride: chosen!.modelId });
        return `${chosen!.provider}/${chosen!.modelId}`;
      } catch (error) {
        // nobody knows it
        if (error instanceof AppError && (error.code === 'invalid' || error.code === 'not_found')) return undefined;
        throw error;
      }
    },
  };
}
