/** Which tools an agent may use: `tools` and `agents.list[].tools`; each layer only removes, deny wins. Pure. */
interface Layer { readonly allow?: readonly string[] | undefined; readonly deny?: readonly string[] | undefined }

/** Spellings of other releases. */
const ALIASES: Readonly<Record<string, string>> = { exec: 'bash' };

/** The tools every layer leaves; they reach neither the prompt nor the provider's schema otherwise. */
export function permittedTools<T extends { readonly name: string }>(tools: readonly T[], layers: readonly (Layer | undefined)[]): readonly T[] {
  return tools.filter(({ name }) => layers.every((layer) => !layer?.deny?.some((pattern) => matches(pattern, name)) && (layer?.allow?.some((pattern) => matches(pattern, name)) ?? true)));
}

function matches(pattern: string, name: string): boolean {
  const wanted = pattern.trim().toLowerCase();
  const canonical = ALIASES[wanted] ?? wanted;
  if (!canonical.includes('*')) return canonical === name.toLowerCase();
  const parts = canonical.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name.toLowerCase());
}
