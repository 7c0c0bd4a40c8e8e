/** Parses a model name: an alias, `provider/model`, or the id of a configured model. Pure. */
import { AppError } from '../../core/errors.ts';
import { nearest } from '../../config/suggest.ts';
import type { AgentsConfig, ModelsConfig } from '../config.ts';

export interface ModelRef {
  readonly provider: string;
  readonly modelId: string;
}

interface Names {
  readonly agents: AgentsConfig;
  readonly models: ModelsConfig;
}

export const refText = ({ provider, modelId }: ModelRef): string => `${provider}/${modelId}`;

/** Throws `AppError('invalid')` that says how to write it. */
export function parseModelRef(text: string, names: Names): ModelRef {
  const written = text.trim();
  const ref = splitRef(aliased(written, names) ?? written);
  if (ref) return ref;
  const owners = Object.entries(names.models.providers).filter(([, { models }]) =>
    models.some(({ id }) => id === written),
  );
  if (owners.length === 1) return { provider: owners[0]![0], modelId: written };
  const near = nearest(written, [
    ...Object.keys(aliases(names)),
    ...owners.map(([provider]) => `${provider}/${written}`),
  ]);
  throw new AppError(
    'invalid',
    `"${written}" does not name a model.${near ? ` Did you mean "${near}"?` : ''} Write provider/model, for ` +
      'instance anthropic/claude-opus-4-6, or an alias from agents.defaults.models.',
  );
}

/** Aliases with what they stand for. */
export function aliases({ agents }: Pick<Names, 'agents'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(agents.defaults.models).flatMap(([ref, { alias }]) => (alias ? [[alias, ref]] : [])),
  );
}

function aliased(text: string, names: Pick<Names, 'agents'>): string | undefined {
  return Object.entries(aliases(names)).find(([alias]) => alias.toLowerCase() === text.toLowerCase())?.[1];
}

/** The provider ends at the first slash; the rest may hold more of them. */
function splitRef(text: string): ModelRef | undefined {
  const at = text.indexOf('/');
  const provider = text.slice(0, at).trim().toLowerCase();
  const modelId = text.slice(at + 1).trim();
  return at > 0 && provider && modelId ? { provider, modelId } : undefined;
}
