/** Which tools an agent may use: `tools` and `agents.list[].tools`; each layer only removes, deny wins. Pure. */
import { TOOL_GROUPS, TOOL_PROFILES, type ToolProfile } from './tool-groups.ts';

interface Layer {
  /** The last layer that names one decides. */
  readonly profile?: ToolProfile | undefined;
  /** Added to what the profile allows. */
  readonly alsoAllow?: readonly string[] | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Spellings of other releases. */
const ALIASES: Readonly<Record<string, string>> = { exec: 'bash', 'apply-patch': 'apply_patch' };

/** The tools every layer leaves; the others reach neither the prompt nor the provider's schema. */
export function permittedTools<T extends { readonly name: string }>(tools: readonly T[], layers: readonly (Layer | undefined)[]): readonly T[] {
  const every: readonly Layer[] = [profileLayer(layers), ...layers.filter((layer) => layer !== undefined)];
  return tools.filter(({ name }) => every.every(({ allow, deny }) => !anyMatches(deny, name) && (allow === undefined || anyMatches(allow, name))));
}

function profileLayer(layers: readonly (Layer | undefined)[]): Layer {
  const profile = layers.findLast((layer) => layer?.profile !== undefined)?.profile ?? 'full';
  const alsoAllow = layers.findLast((layer) => layer?.alsoAllow !== undefined)?.alsoAllow ?? [];
  return { allow: [...TOOL_PROFILES[profile], ...alsoAllow] };
}

const anyMatches = (patterns: readonly string[] | undefined, name: string): boolean => patterns?.some((pattern) => matches(pattern, name)) ?? false;

function matches(pattern: string, name: string): boolean {
  const wanted = pattern.trim().toLowerCase();
  const members = TOOL_GROUPS[wanted];
  if (members) return members.some((member) => matches(member, name));
  const canonical = ALIASES[wanted] ?? wanted;
  if (!canonical.includes('*')) return canonical === name.toLowerCase();
  const parts = canonical.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name.toLowerCase());
}
