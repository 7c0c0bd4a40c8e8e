/**
 * Validates the `channels` sections with each channel's schema. An invalid section disables that channel, not the whole
 * file.
 */
import { z } from 'zod';
import { formatPath, getAt, isPlainObject, type Path } from '../config/paths.ts';
import { jsonSchema, knownNames, type JsonSchema } from '../config/schema-hints.ts';
import type { Findings } from '../config/lint-tools.ts';
import type { Issue } from '../config/store.ts';
import { nearest } from '../config/suggest.ts';
import { unknownSection, unknownSetting } from '../config/unknown-setting.ts';
import { validate } from '../config/validate.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { accountsOf, type AccountPlan, type Channels, type ChannelSources } from './channel-accounts.ts';

export function checkChannels(plugins: readonly ChannelPlugin[], sources: ChannelSources): Findings {
  const found = Object.keys(sources.channels)
    .filter((id) => id !== 'defaults')
    .map((id): Findings => {
      const plugin = plugins.find((one) => one.id === id);
      return plugin ? checkChannel(plugin, sources) : { errors: [], warnings: [unknownChannel(id, plugins)] };
    });
  return joined(found);
}

function checkChannel(plugin: ChannelPlugin, sources: ChannelSources): Findings {
  const plans = accountsOf(plugin, sources);
  const schema = described(wrapped(plugin));
  return joined([
    ...plans.map((plan) => checkAccount(plan, sources.channels)),
    { errors: [], warnings: plans.flatMap((plan) => slipsOfAccount(plan, { schema, channels: sources.channels })) },
  ]);
}

/** With the path a person knows it by. */
const wrapped = ({ id, config }: ChannelPlugin) => z.object({ channels: z.object({ [id]: config }) });

/** Of one account; paths are where a person wrote the setting. */
export function checkAccount({ plugin, raw, settingsPath }: AccountPlan, channels: Channels): Findings {
  const at = (path: string): string => writtenPath(path, { channel: plugin.id, settingsPath, channels });
  if (!('_zod' in plugin.config)) return foreign(plugin, { raw, settingsPath });
  const schema = wrapped(plugin);
  const result = validate({ channels: { [plugin.id]: raw } }, { schema, describe: () => described(schema) });
  if (!result.ok) return { errors: result.issues.map((issue) => ({ ...issue, path: at(issue.path) })), warnings: [] };
  const warnings = result.warnings.filter(
    ({ path }) => path === '' || !onlyInDefaults(path, { channel: plugin.id, settingsPath, channels }),
  );
  return { errors: [], warnings: warnings.map((issue) => ({ ...issue, path: at(issue.path) })) };
}

/** A schema of another library: it says yes or no. */
function foreign(
  { config, label }: ChannelPlugin,
  { raw, settingsPath }: Pick<AccountPlan, 'raw' | 'settingsPath'>,
): Findings {
  const refused = config.safeParse(raw)?.success === false;
  return {
    errors: refused
      ? [{ path: settingsPath, problem: `is not valid for ${label}`, fix: 'See the documentation of the plugin.' }]
      : [],
    warnings: [],
  };
}

/** Third-party schemas may hold what JSON Schema cannot say. */
function described(schema: z.ZodType): JsonSchema {
  try {
    return jsonSchema(schema);
  } catch (error) {
    if (error instanceof Error) return {};
    throw error;
  }
}

function slipsOfAccount(
  { plugin, raw, settingsPath }: AccountPlan,
  { schema, channels }: { readonly schema: JsonSchema; readonly channels: Channels },
): readonly Issue[] {
  const written = { channel: plugin.id, settingsPath, channels };
  const slips = slipsOf(raw, { path: ['channels', plugin.id], schema }).filter(
    ({ path }) => !onlyInDefaults(path, written),
  );
  return slips.map((issue) => ({ ...issue, path: writtenPath(issue.path, written) }));
}

/** Names a tolerant schema lets pass although another was surely meant. Where any name is right, none is known. */
function slipsOf(
  value: unknown,
  { path, schema }: { readonly path: Path; readonly schema: JsonSchema },
): readonly Issue[] {
  if (!isPlainObject(value)) return [];
  const known = knownNames(schema, path);
  return Object.entries(value).flatMap(([key, inner]): readonly Issue[] => {
    if (known.length === 0 || known.includes(key)) return slipsOf(inner, { path: [...path, key], schema });
    const near = nearest(key, known);
    return near === undefined
      ? []
      : [
          {
            path: formatPath([...path, key]),
            problem: unknownSetting(key),
            fix: `Did you mean "${formatPath([...path, near])}"?`,
          },
        ];
  });
}

interface Written {
  readonly channel: string;
  readonly settingsPath: string;
  readonly channels: Channels;
}

/** The account's own section where the setting stands there, else the channel's. */
function writtenPath(path: string, { channel, settingsPath, channels }: Written): string {
  const base = `channels.${channel}`;
  const rest = path.startsWith(settingsPath) ? path.slice(settingsPath.length) : path.slice(base.length);
  const [first = ''] = rest.split(/[.[]/).filter(Boolean);
  const own = getAt({ channels }, settingsPath.split('.'));
  return settingsPath !== base && holds(channels[channel], first) && !holds(own, first)
    ? `${base}${rest}`
    : `${settingsPath}${rest}`;
}

const holds = (section: unknown, key: string): boolean =>
  typeof section === 'object' && section !== null && Object.hasOwn(section, key);

/** `channels.defaults` may hold what only other channels know. */
function onlyInDefaults(path: string, { channel, settingsPath, channels }: Written): boolean {
  const [first = ''] = path.slice(`channels.${channel}`.length).split(/[.[]/).filter(Boolean);
  return !holds(channels[channel], first) && !holds(getAt({ channels }, settingsPath.split('.')), first);
}

function unknownChannel(id: string, plugins: readonly ChannelPlugin[]): Issue {
  const names = plugins.filter(({ capabilities }) => capabilities.deliverable).map((plugin) => plugin.id);
  const near = nearest(
    id,
    plugins.flatMap((plugin) => [plugin.id, ...(plugin.aliases ?? [])]),
  );
  return {
    path: `channels.${id}`,
    problem: unknownSection(id),
    fix: near === undefined ? `Channels: ${names.join(', ') || 'none'}.` : `Did you mean "${near}"?`,
  };
}

/** A wrong setting that two accounts share is reported once. */
function joined(findings: readonly Findings[]): Findings {
  const once = (issues: readonly Issue[]): readonly Issue[] => [
    ...new Map(issues.map((issue) => [`${issue.path}\n${issue.problem}`, issue])).values(),
  ];
  return {
    errors: once(findings.flatMap(({ errors }) => errors)),
    warnings: once(findings.flatMap(({ warnings }) => warnings)),
  };
}
