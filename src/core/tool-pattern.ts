/** Resolves one entry of a tool list: a name, an alias, a group, a plugin, or a `*` pattern. Pure. */
import { fitsStars } from './star-pattern.ts';
import { FAMILY_TOOLS, TOOL_GROUPS } from './tool-groups.ts';

/** The facts of a tool that patterns match. */
export interface NamedTool {
  readonly name: string;
  /** The third-party plugin that brings it. */
  readonly pluginId?: string;
}

/** Stands for every tool of every third-party plugin. */
export const PLUGINS_GROUP = 'group:plugins';

/** Spellings of other releases. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['exec', 'bash'],
  ['apply-patch', 'apply_patch'],
  ['view_image', 'image'],
  ['automations', 'cron'],
]);

/** The name a policy compares by: trimmed, lower-case, other spellings resolved. */
export function toolName(written: string): string {
  const name = written.trim().toLowerCase();
  return ALIASES.get(name) ?? name;
}

/** Says of a tool whether the entry means it. */
export function readPattern(written: string): (tool: NamedTool) => boolean {
  const pattern = toolName(written);
  if (pattern === PLUGINS_GROUP) return ({ pluginId }) => pluginId !== undefined;
  if (Object.hasOwn(TOOL_GROUPS, pattern)) return ({ name }) => TOOL_GROUPS[pattern]!.includes(name.toLowerCase());
  // A plugin called like one of our tools must not slip its own tools in under that name.
  const plugin = FAMILY_TOOLS.includes(pattern) ? undefined : pattern;
  if (!pattern.includes('*'))
    return ({ name, pluginId }) =>
      name.toLowerCase() === pattern || (plugin !== undefined && pluginId?.toLowerCase() === plugin);
  return ({ name }) => fitsStars(pattern, name.toLowerCase());
}

/** The entries that can never match: neither a known tool of compatible products nor one of `tools` has such a name. */
export function unknownPatterns(patterns: readonly string[], tools: readonly NamedTool[]): readonly string[] {
  const known: readonly NamedTool[] = [...FAMILY_TOOLS.map((name) => ({ name })), ...tools];
  return patterns.filter((written) => toolName(written) !== PLUGINS_GROUP && !known.some(readPattern(written)));
}

/** Every word an entry may be, for a did-you-mean. */
export function toolWords(tools: readonly NamedTool[]): readonly string[] {
  const plugins = tools.flatMap(({ pluginId }) => (pluginId === undefined ? [] : [pluginId]));
  return [
    ...new Set([
      ...FAMILY_TOOLS,
      ...ALIASES.keys(),
      ...Object.keys(TOOL_GROUPS),
      PLUGINS_GROUP,
      ...tools.map(({ name }) => name),
      ...plugins,
    ]),
  ];
}
