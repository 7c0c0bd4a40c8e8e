/** The facts of a model: from the configuration, else the vendor's catalogue, else conservative defaults. Pure. */
import type { ModelInfo } from '../../core/provider.ts';
import type { CandidateInfo } from './candidate.ts';

/** Tokens assumed when nobody tells: few models of today hold less. */
export const ASSUMED_CONTEXT_WINDOW = 128_000;

export interface KnownModels {
  readonly configured: readonly ModelInfo[];
  readonly catalogue: readonly ModelInfo[];
}

export function modelInfo(modelId: string, { configured, catalogue }: KnownModels): CandidateInfo {
  const info: ModelInfo = {
    ...fromCatalogue(modelId, catalogue),
    ...configured.find((model) => model.id === modelId),
    id: modelId,
  };
  return {
    ...info,
    contextWindow: info.contextWindow ?? ASSUMED_CONTEXT_WINDOW,
    contextWindowKnown: info.contextWindow !== undefined,
  };
}

/** The exact entry, else the longest family (`gpt-5*`) the id begins with. */
function fromCatalogue(modelId: string, catalogue: readonly ModelInfo[]): ModelInfo | undefined {
  const exact = catalogue.find((model) => model.id === modelId);
  if (exact) return exact;
  const families = catalogue.filter(({ id }) => isFamily(id) && modelId.startsWith(id.slice(0, -1)));
  return families.sort((a, b) => b.id.length - a.id.length)[0];
}

export const isFamily = (id: string): boolean => id.endsWith('*');

/** The models one can name: configured ones first, families left out. */
export function listedModels({ configured, catalogue }: KnownModels): readonly ModelInfo[] {
  const own = new Set(configured.map((model) => model.id));
  const rest = catalogue.filter(({ id }) => !own.has(id) && !isFamily(id));
  return [...configured.map((model) => modelInfo(model.id, { configured, catalogue })), ...rest];
}
