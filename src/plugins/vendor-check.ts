/**
 * Checks the names of media vendors against the installed ones, without loading a vendor that is configured or has its
 * own folder.
 */
import type { Findings } from '../config/lint-tools.ts';
import type { Issue } from '../config/store.ts';
import { nearest } from '../config/suggest.ts';
import type { MediaConfig } from '../config/understanding-config.ts';
import type { Provider } from '../core/provider.ts';
import { MEDIA_CAPABILITIES } from '../core/understanding.ts';

export interface NamesVendors {
  readonly tools: { readonly media: MediaConfig };
  readonly models: { readonly providers: Readonly<Record<string, unknown>> };
}

export interface Vendors {
  ids(): Promise<readonly string[]>;
  load(id: string): Promise<Provider | undefined>;
  /** More may come from plugins, which are not run to check a file. */
  readonly open: boolean;
}

interface Named {
  readonly path: string;
  readonly id: string;
}

export async function checkVendors(config: NamesVendors, vendors: Vendors): Promise<Findings> {
  const named = vendorsIn(config.tools.media);
  if (named.length === 0) return { errors: [], warnings: [] };
  const ids = await vendors.ids();
  const plain = new Set([...ids, ...Object.keys(config.models.providers).map((id) => id.toLowerCase())]);
  const strays = named.filter(({ id }) => !plain.has(id.trim().toLowerCase()));
  if (strays.length === 0) return { errors: [], warnings: [] };
  const others = new Set(
    (await Promise.all(ids.map((id) => vendors.load(id)))).flatMap((provider) => [
      ...(provider?.aliases ?? []),
      ...(provider?.vendors?.map(({ id }) => id) ?? []),
    ]),
  );
  const known = [...plain, ...others];
  const issues = strays
    .filter(({ id }) => !others.has(id.trim().toLowerCase()))
    .map((stray) => issueOf(stray, known, vendors.open));
  return vendors.open ? { errors: [], warnings: issues } : { errors: issues, warnings: [] };
}

function vendorsIn(media: MediaConfig): readonly Named[] {
  const blocks = [
    { at: 'tools.media', models: media.models },
    ...MEDIA_CAPABILITIES.map((kind) => ({ at: `tools.media.${kind}`, models: media[kind].models })),
  ];
  return blocks.flatMap(({ at, models }) =>
    models.flatMap(({ provider }, index) =>
      provider === undefined ? [] : [{ path: `${at}.models[${index}].provider`, id: provider }],
    ),
  );
}

function issueOf({ path, id }: Named, known: readonly string[], open: boolean): Issue {
  const near = nearest(id.toLowerCase(), known);
  const fix = near
    ? `Did you mean "${near}"?`
    : `Use one of: ${known.toSorted().join(', ')}; or set its address under \`models.providers.${id}\`.`;
  return { path, problem: `unknown model provider "${id}"${open ? ', unless a plugin adds it' : ''}`, fix };
}
