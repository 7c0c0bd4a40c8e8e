/**
 * Checks configured picture models against known model facts, so that a model without vision is reported before anybody
 * sends a picture.
 */
import type { Findings } from '../config/lint-tools.ts';
import { AppError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import type { Vendors } from './vendor-check.ts';

interface KnownModel {
  readonly id: string;
  readonly input?: readonly string[] | undefined;
}
type Choice = string | { readonly primary?: string | undefined; readonly fallbacks?: readonly string[] | undefined };

export interface NamesModels {
  readonly agents: { readonly defaults: { readonly imageModel?: Choice | undefined } };
  readonly models: {
    readonly providers: Readonly<Record<string, { readonly models?: readonly KnownModel[] | undefined }>>;
  };
}

export interface BlindModel {
  readonly name: string;
  readonly fix: string;
}

/** A warning: the file stays good, and the other models of the setting are asked. */
export async function checkVision(config: NamesModels, vendors: Pick<Vendors, 'ids' | 'load'>): Promise<Findings> {
  const warnings = (await blindModels(config, vendors)).map(({ name, fix }) => ({
    path: 'agents.defaults.imageModel',
    problem: `${name} does not accept images and is skipped`,
    fix,
  }));
  return { errors: [], warnings };
}

const namesIn = ({ agents }: Pick<NamesModels, 'agents'>): readonly string[] => {
  const choice = agents.defaults.imageModel;
  if (choice === undefined) return [];
  return typeof choice === 'string'
    ? [choice]
    : [choice.primary, ...(choice.fallbacks ?? [])].filter((name) => name !== undefined);
};

/** Those the setting names that are known to take none, and what to do; of a model nobody knows nothing is said. */
export async function blindModels(
  config: NamesModels,
  vendors: Pick<Vendors, 'ids' | 'load'>,
): Promise<readonly BlindModel[]> {
  const names = namesIn(config);
  const ids = new Set(names.length === 0 ? [] : await vendors.ids());
  const blind: BlindModel[] = [];
  for (const name of names) {
    const slash = name.indexOf('/');
    const [vendor, model] = [name.slice(0, Math.max(0, slash)).toLowerCase(), name.slice(slash + 1)];
    const configured = config.models.providers[vendor]?.models ?? [];
    const known: readonly KnownModel[] = [
      ...configured,
      ...(ids.has(vendor) ? catalogueOf(await vendors.load(vendor), vendor) : []),
    ];
    const { input } = known.find(({ id }) => id === model) ??
      known.find(({ id }) => id.endsWith('*') && model.startsWith(id.slice(0, -1))) ?? { input: undefined };
    if (slash <= 0 || input === undefined || input.includes('image')) continue;
    const others = known
      .filter((other) => other.input?.includes('image') && !other.id.endsWith('*'))
      .map(({ id }) => `${vendor}/${id}`)
      .slice(0, 5);
    blind.push({
      name,
      fix:
        `${others.length > 0 ? `Use one that does, such as ${others.join(', ')}` : 'Use one that does'}; or, ` +
        `if it does accept them, set \`input: ["text", "image"]\` in ` +
        `\`models.providers.${vendor}.models\`.`,
    });
  }
  return blind;
}

/**
 * Of a change: a blind model the setting did not name before. Rejects with `invalid`; `details.forcible`: a person may
 * insist.
 */
export async function refuseBlind(
  { before, after }: { readonly before: NamesModels | undefined; readonly after: NamesModels },
  vendors: Pick<Vendors, 'ids' | 'load'>,
): Promise<void> {
  const were = before ? namesIn(before) : [];
  if (namesIn(after).every((name) => were.includes(name))) return;
  const fresh = (await blindModels(after, vendors)).find(({ name }) => !were.includes(name));
  if (fresh)
    throw new AppError(
      'invalid',
      `agents.defaults.imageModel: ${fresh.name} does not accept images. ${fresh.fix} Nothing was changed.`,
      { details: { forcible: true } },
    );
}

const catalogueOf = (provider: Provider | undefined, vendor: string): readonly KnownModel[] => [
  ...(provider?.catalogue ?? []),
  ...(provider?.vendors?.find(({ id }) => id === vendor)?.catalogue ?? []),
];
