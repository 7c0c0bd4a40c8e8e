/** What the understanding of media asks of model vendors, answered from the provider registry and the configuration. */
import type { AgentsConfig, ModelChoice } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import type { Log } from '../../core/log.ts';
import { asAppError } from '../../core/errors.ts';
import type { Conversation, MediaModels } from '../understanding/media/media-models.ts';

export interface MediaModelsDeps {
  readonly models: Models;
  readonly log: Log;
  config(): { readonly agents: AgentsConfig };
  providerIds(): Promise<readonly string[]>;
  /** The model chosen for a session or a message. */
  override(at: Conversation): string | undefined;
}

export function createMediaModels({ models, log, config, providerIds, override }: MediaModelsDeps): MediaModels {
  return {
    find: (id) => models.media(id),
    async active(at) {
      try {
        const [first] = await models.choose(at.route.agentId, override(at));
        // If it is unknown whether the model accepts pictures, it gets them.
        return (
          first && {
            provider: first.provider,
            model: first.modelId,
            seesImages: first.info.input?.includes('image') ?? true,
          }
        );
      } catch (error) {
        log.debug('understanding.no-chat-model', { problem: asAppError(error).message }); // the turn itself will tell
        return undefined;
      }
    },
    async ids() {
      const ids = await providerIds();
      const able = await Promise.all(ids.map(async (id) => ((await models.media(id)) ? [id] : [])));
      return able.flat();
    },
    async imageModels() {
      const names = chosen(config().agents.defaults.imageModel);
      const seeing = await Promise.all(names.map((name) => models.sees(name)));
      for (const name of names.filter((_name, index) => seeing[index] === false))
        log.warn('understanding.blind-image-model', {
          model: name,
          fix: 'agents.defaults.imageModel names a model that does not accept images; it is skipped.',
        });
      return names.filter((_name, index) => seeing[index] !== false);
    },
  };
}

const chosen = (choice: ModelChoice | undefined): readonly string[] =>
  choice === undefined
    ? []
    : typeof choice === 'string'
      ? [choice]
      : [...(choice.primary ? [choice.primary] : []), ...(choice.fallbacks ?? [])];
