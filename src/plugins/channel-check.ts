/** Checks the `channels` sections against what each channel understands. A wrong section costs that channel, never the file. */
import { z } from 'zod';
import { getAt } from '../config/paths.ts';
import { jsonSchema, type JsonSchema } from '../config/schema-hints.ts';
import type { Findings } from '../config/lint-tools.ts';
import type { Issue } from '../config/store.ts';
import { nearest } from '../config/suggest.ts';
import { validate } from '../config/validate.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import type { PlaceRules } from '../core/place-rules.ts';
import { accountsOf, type AccountPlan, type Channels, type World } from './channel-accounts.ts';

export function checkChannels(plugins: readonly ChannelPlugin[], world: World): Findings {
  const found = Object.keys(world.channels).filter((id) => id !== 'defaults').map((id): Findings => {
    const plugin = plugins.find((one) => one.id === id);
    return plugin ? joined(accountsOf(plugin, world).map((plan) => checkAccount(plan, world.channels))) : { errors: [], warnings: [unknownChannel(id, plugins)] };
  });
  return joined(found);
}

/** Of one account; paths are where a person wrote the setting. */
export function checkAccount({ plugin, raw, settingsPath }: AccountPlan, channels: Channels): Findings {
  const at = (path: string): string => writtenPath(path, { channel: plugin.id, settingsPath, channels });
  if (!('_zod' in plugin.config)) return foreign(plugin, { raw, settingsPath });
  const wrapped = z.object({ channels: z.object({ [plugin.id]: plugin.config }) });
  const result = validate({ channels: { [plugin.id]: raw } }, { schema: wrapped, describe: () => described(wrapped) });
  if (!result.ok) return { errors: result.issues.map((issue) => ({ ...issue, path: at(issue.path) })), warnings: [] };
  const warnings = result.warnings.filter(({ path }) => path === '' || !onlyInDefaults(path, { channel: plugin.id, settingsPath, channels }));
  return { errors: openWithoutStar(plugin, result.config.channels[plugin.id], settingsPath).map((issue) => ({ ...issue, path: at(issue.path) })), warnings: warnings.map((issue) => ({ ...issue, path: at(issue.path) })) };
}

/** A schema of another library: it says yes or no. */
function foreign({ config, label }: ChannelPlugin, { raw, settingsPath }: Pick<AccountPlan, 'raw' | 'settingsPath'>): Findings {
  const refused = config.safeParse(raw)?.success === false;
  return { errors: refused ? [{ path: settingsPath, problem: `is not as ${label} wants it`, fix: 'See the documentation of the plugin.' }] : [], warnings: [] };
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

/** `open` lets everybody in: whoever means that writes it twice. */
function openWithoutStar(plugin: ChannelPlugin, config: unknown, settingsPath: string): readonly Issue[] {
  const direct = plugin.rules ? plugin.rules(config, { chat: { kind: 'direct', id: '' }, settingsPath }).direct : commonDirect(config, settingsPath);
  if (direct.value !== 'open' || direct.allowFrom.value.includes('*')) return [];
  return [{ path: direct.allowFrom.path, problem: `must contain "*", because ${direct.path} is "open"`, fix: `Add "*" to let everybody write, or set ${direct.path} to "pairing".` }];
}

function commonDirect(config: unknown, settingsPath: string): PlaceRules['direct'] {
  const { dmPolicy = 'pairing', allowFrom = [] } = (config ?? {}) as { dmPolicy?: PlaceRules['direct']['value']; allowFrom?: readonly string[] };
  return { value: dmPolicy, path: `${settingsPath}.dmPolicy`, allowFrom: { value: allowFrom, path: `${settingsPath}.allowFrom` } };
}

interface Written { readonly channel: string; readonly settingsPath: string; readonly channels: Channels }

/** The account's own section where the setting stands there, else the channel's. */
function writtenPath(path: string, { channel, settingsPath, channels }: Written): string {
  const base = `channels.${channel}`;
  const rest = path.startsWith(settingsPath) ? path.slice(settingsPath.length) : path.slice(base.length);
  const [first = ''] = rest.split(/[.[]/).filter(Boolean);
  const own = getAt({ channels }, settingsPath.split('.'));
  return settingsPath !== base && holds(channels[channel], first) && !holds(own, first) ? `${base}${rest}` : `${settingsPath}${rest}`;
}

const holds = (section: unknown, key: string): boolean => typeof section === 'object' && section !== null && Object.hasOwn(section, key);

/** `channels.defaults` may hold what only other channels know. */
function onlyInDefaults(path: string, { channel, settingsPath, channels }: Written): boolean {
  const [first = ''] = path.slice(`channels.${channel}`.length).split(/[.[]/).filter(Boolean);
  return !holds(channels[channel], first) && !holds(getAt({ channels }, settingsPath.split('.')), first);
}

function unknownChannel(id: string, plugins: readonly ChannelPlugin[]): Issue {
  const names = plugins.filter(({ capabilities }) => capabilities.deliverable).map((plugin) => plugin.id);
  const near = nearest(id, plugins.flatMap((plugin) => [plugin.id, ...(plugin.aliases ?? [])]));
  return { path: `channels.${id}`, problem: `there is no channel "${id}"; the section has no effect`, fix: near === undefined ? `Channels: ${names.join(', ') || 'none'}.` : `Did you mean "${near}"?` };
}

/** Two accounts that share a wrong setting are told once. */
function joined(findings: readonly Findings[]): Findings {
  const once = (issues: readonly Issue[]): readonly Issue[] => [...new Map(issues.map((issue) => [`${issue.path}\n${issue.problem}`, issue])).values()];
  return { errors: once(findings.flatMap(({ errors }) => errors)), warnings: once(findings.flatMap(({ warnings }) => warnings)) };
}
