/** The entries configuration offers for a capability, in the order they are tried. */
import type { MediaConfig, MediaEntry } from '../../../../config/understanding-config.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';
import type { MediaModels } from '../media-models.ts';

export interface Configured {
  readonly entries: readonly MediaEntry[];
  /** Somebody asked for this very capability: an entry of its own list, or a shared one that names it. */
  readonly explicit: boolean;
}

/**
 * The capability's own list comes first, then the shared one; a shared entry that names no capability serves those its
 * vendor has.
 */
export async function configuredEntries(
  capability: MediaCapability,
  config: MediaConfig,
  models: MediaModels,
): Promise<Configured> {
  const own = config[capability].models.filter((entry) => names(entry, capability) ?? true);
  const shared: MediaEntry[] = [];
  for (const entry of config.models)
    if (names(entry, capability) ?? (await canByItself(entry, capability, models))) shared.push(entry);
  return {
    entries: preferredFirst([...own, ...shared], config[capability].preferredModel),
    explicit: own.length > 0 || shared.some((entry) => names(entry, capability)),
  };
}

export const isCommand = (entry: MediaEntry): boolean => (entry.type ?? (entry.command ? 'cli' : 'provider')) === 'cli';

/** Undefined when the entry does not say what it is for. */
function names({ capabilities }: MediaEntry, capability: MediaCapability): boolean | undefined {
  return capabilities?.length ? capabilities.includes(capability) : undefined;
}

/** Nobody knows what a command can do. */
async function canByItself(entry: MediaEntry, capability: MediaCapability, models: MediaModels): Promise<boolean> {
  if (isCommand(entry) || !entry.provider) return false;
  return (await models.find(entry.provider))?.media[capability] !== undefined;
}

/** `provider/model`, `provider:<id>` and `cli:<command>` hit exactly, a bare model less so; others keep their order. */
function preferredFirst(entries: readonly MediaEntry[], preferred: string | undefined): readonly MediaEntry[] {
  const wanted = preferred?.trim();
  if (!wanted) return entries;
  const score = (entry: MediaEntry): number => {
    if (isCommand(entry)) return wanted === `cli:${entry.command}` ? 2 : 0;
    if (!entry.model) return wanted === `provider:${entry.provider}` ? 2 : 0;
    if (wanted === `${entry.provider}/${entry.model}`) return 2;
    return wanted === entry.model ? 1 : 0;
  };
  return entries.toSorted((a, b) => score(b) - score(a));
}
