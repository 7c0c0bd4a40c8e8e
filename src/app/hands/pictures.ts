/** Whether pictures can be described for an agent, and by whom when it asks; nothing of it is loaded before that. */
import type { AgentsConfig, ModelsConfig, ToolsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { parseModelRef } from '../../agent/models/model-ref.ts';
import { modelChain } from '../../agent/resolve-agent.ts';
import { asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Route } from '../../core/route.ts';
import type { PictureAnswer, PictureAttempt, ToolContext } from '../../core/tool.ts';
import type { Attempt } from '../../core/understanding.ts';
import { findProgram } from '../../platform/find-program.ts';
import type { AppUnderstanding } from '../understanding.ts';

export interface PicturesDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig; readonly models: ModelsConfig };
  readonly models: Models;
  readonly understanding: AppUnderstanding;
  readonly vars: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** Reads text off pictures without any model. */
const READER = 'tesseract';
const NOBODY = 'There is nobody who could look at pictures: set agents.defaults.imageModel.';

export function createPictures(deps: PicturesDeps) {
  const known = new WeakMap<object, Map<string, Promise<boolean>>>();

  async function find(provider: string): Promise<boolean> {
    const { agents, tools, models } = deps.config();
    if (tools.media.image.enabled === false) return false;
    if (modelChain(agents.defaults.imageModel).primary ?? modelChain(agents.defaults.imageModel).fallbacks[0]) return true;
    if (tools.media.image.models.length > 0) return true;
    for (const id of new Set([provider, ...Object.keys(models.providers)])) {
      const found = await deps.models.media(id);
      if (found?.hasKey && found.media.image) return true;
    }
    return (await findProgram(READER, deps.vars['PATH'])) !== undefined;
  }

  return {
    /** Asked for every turn, looked up once per configuration and vendor of the chat model. */
    available(provider: string): Promise<boolean> {
      const config = deps.config();
      const byProvider = known.get(config) ?? new Map<string, Promise<boolean>>();
      known.set(config, byProvider);
      const answer = byProvider.get(provider) ?? find(provider);
      byProvider.set(provider, answer);
      answer.catch(() => byProvider.delete(provider)); // it is looked up again
      return answer;
    },

    describer(route: Route, runId: string): NonNullable<ToolContext['describePicture']> {
      return async ({ data, mime, prompt, model, signal }): Promise<PictureAnswer> => {
        try {
          const ref = model === undefined ? undefined : parseModelRef(model, deps.config());
          const { text, chosen, attempts } = await deps.understanding.describe({
            data, mime, route, runId, signal, log: deps.log, progress: () => undefined,
            question: { prompt, ...(ref ? { model: { provider: ref.provider, model: ref.modelId } } : {}) },
          });
          const tried = attempts.map(attemptOf);
          if (text !== undefined && chosen) return { ok: true, text, model: attemptOf(chosen).model, attempts: tried };
          return { ok: false, error: tried.map((one) => `${one.model}: ${one.error}`).join('; ') || NOBODY, attempts: tried };
        } catch (error) {
          if (signal.aborted) throw asAppError(error, 'aborted');
          return { ok: false, error: asAppError(error).message, attempts: [] };
        }
      };
    },
  };
}

function attemptOf({ command, provider, model, outcome, reason }: Attempt): PictureAttempt {
  const name = command ?? [provider, model].filter(Boolean).join('/');
  return { model: name, ...(outcome === 'success' ? {} : { error: reason ?? outcome }) };
}
