/** Finds the model that describes pictures for an agent. It is loaded when a tool first needs it. */
import type { AgentsConfig, ModelsConfig, ToolsConfig } from '../config.ts';
import type { Models } from '../models/create-models.ts';
import type { ModelCandidate } from '../models/candidate.ts';
import { parseModelRef, type ModelRef } from '../models/model-ref.ts';
import { modelChain } from '../resolve-agent.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { Route } from '../../core/route.ts';
import type { PictureAnswer, PictureAttempt, ToolContext } from '../../core/tool.ts';
import type { Attempt } from '../../core/understanding.ts';
import { findProgram } from '../../platform/find-program.ts';
import { onFailure } from '../../platform/settled.ts';

export interface PicturesDeps {
  config(): { readonly agents: AgentsConfig; readonly tools: ToolsConfig; readonly models: ModelsConfig };
  readonly models: Models;
  /** Asks a model to describe a picture. */
  describe(request: PictureRequest): Promise<Described>;
  /** The name of a program that only recognises what is in a picture; undefined: it was seen. */
  recogniser(by: { readonly provider: string; readonly model: string }): Promise<string | undefined>;
  readonly vars: Readonly<Record<string, string>>;
  readonly log: Log;
}

/** A picture the agent asks about. */
export interface PictureRequest {
  readonly data: Uint8Array;
  readonly mime: string;
  readonly route: Route;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  progress(text: string): void;
  readonly question: {
    readonly prompt: string;
    readonly model?: { readonly provider: string; readonly model: string };
  };
}

export interface Described {
  readonly text?: string | undefined;
  /** The attempt whose words these are. */
  readonly chosen?: Attempt | undefined;
  readonly attempts: readonly Attempt[];
}

/** The model that answers, as far as it decides who looks at pictures. */
export type ChatModelFacts = Pick<ModelCandidate, 'provider' | 'modelId'> & {
  readonly info: Pick<ModelCandidate['info'], 'input'>;
};

/** Reads text off pictures without any model. */
const READER = 'tesseract';
const NOBODY = 'No model can describe images. Set agents.defaults.imageModel.';

export function createPictures(deps: PicturesDeps) {
  const known = new WeakMap<object, Map<string, Promise<boolean | 'text'>>>();

  return {
    /** Called in every turn, resolved once per configuration and chat model. */
    available(chat: ChatModelFacts): Promise<boolean | 'text'> {
      const config = deps.config();
      const byModel = known.get(config) ?? new Map<string, Promise<boolean | 'text'>>();
      known.set(config, byModel);
      const name = `${chat.provider}/${chat.modelId}`;
      const answer = byModel.get(name) ?? find(chat, deps);
      byModel.set(name, answer);
      onFailure(answer, () => byModel.delete(name)); // it is looked up again
      return answer;
    },

    describer(route: Route, runId: string): NonNullable<ToolContext['describePicture']> {
      return async ({ data, mime, prompt, model, signal }): Promise<PictureAnswer> => {
        try {
          const ref = model === undefined ? undefined : await seeing(model, route, deps);
          const { text, chosen, attempts } = await deps.describe({
            data,
            mime,
            route,
            runId,
            signal,
            log: deps.log,
            progress: () => undefined,
            question: {
              prompt,
              ...present({ model: ref ? { provider: ref.provider, model: ref.modelId } : undefined }),
            },
          });
          const tried = attempts.map(attemptOf);
          if (text !== undefined && chosen)
            return {
              ok: true,
              text: await labelled(text, chosen, deps.recogniser),
              model: attemptOf(chosen).model,
              attempts: tried,
            };
          return {
            ok: false,
            error: tried.map((one) => `${one.model}: ${one.error}`).join('; ') || NOBODY,
            attempts: tried,
          };
        } catch (error) {
          if (signal.aborted) throw asAppError(error, 'aborted');
          return { ok: false, error: asAppError(error).message, attempts: [] };
        }
      };
    },
  };
}

/**
 * Those who would be asked, in the order they are (`understanding/media/entries`): a vendor whose model nobody named
 * needs one of its own.
 */
async function find({ provider, info }: ChatModelFacts, deps: PicturesDeps): Promise<boolean | 'text'> {
  const { agents, tools, models } = deps.config();
  if (tools.media.image.enabled === false) return false;
  const { primary, fallbacks } = modelChain(agents.defaults.imageModel);
  for (const name of [...(primary === undefined ? [] : [primary]), ...fallbacks])
    if ((await deps.models.sees(name)) !== false) return true;
  if (
    tools.media.image.models.length > 0 ||
    tools.media.models.some(({ capabilities }) => capabilities?.includes('image'))
  )
    return true;
  for (const id of new Set([provider, ...Object.keys(models.providers)])) {
    const found = await deps.models.media(id);
    if (
      found?.hasKey &&
      found.media.image &&
      (id === provider
        ? seesPictures(info) || found.media.image.defaultModel !== undefined
        : found.media.image.rank !== undefined)
    )
      return true;
  }
  return (await findProgram(READER, deps.vars['PATH'])) === undefined ? false : 'text';
}

/** A model that is known to take no pictures would only cost a question. */
async function seeing(written: string, { agentId }: Route, deps: PicturesDeps): Promise<ModelRef> {
  const ref = parseModelRef(written, deps.config());
  const [found] = await deps.models.choose(agentId, written);
  if (found && !seesPictures(found.info))
    throw new AppError(
      'unsupported',
      `Model does not support images: ${ref.provider}/${ref.modelId}. Leave out model, or use one that does.`,
    );
  return ref;
}

/** If it is unknown whether the model accepts pictures, it gets them. */
const seesPictures = ({ input }: ChatModelFacts['info']): boolean => input?.includes('image') ?? true;

/** Words a program guessed from the picture are not taken for what a model saw in it. */
async function labelled(text: string, { command }: Attempt, recogniser: PicturesDeps['recogniser']): Promise<string> {
  if (command === undefined || text.trim() === '') return text;
  const by = await recogniser({ provider: 'cli', model: command });
  return by === undefined ? text : `Recognised by: ${by}\n${text}`;
}

function attemptOf({ command, provider, model, outcome, reason }: Attempt): PictureAttempt {
  const name = command ?? [provider, model].filter(Boolean).join('/');
  return present({ model: name, error: outcome !== 'success' ? (reason ?? outcome) : undefined });
}
