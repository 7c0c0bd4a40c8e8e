/** The name of a plugin in `plugins.allow`, `deny` and `entries`, and whether these allow it. Pure. */
import { basename, dirname, normalize } from 'node:path';
import type { PluginsConfig } from './config.ts';

const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/** The last part of the path without ending, or the package name without scope; of an `index` file its folder's. */
export function pluginId(path: string): string {
  const plain = normalize(path).replace(/(?<![\\/])[\\/]+$/, '');
  const name = basename(plain)
    .replace(/\.[cm]?[jt]s$/, '')
    .toLowerCase();
  return name === 'index' && dirname(plain) !== '.' ? basename(dirname(plain)).toLowerCase() : name;
}

/** Whether it can be named without meaning something else: in a list of tools, or in the machinery of the language. */
export const isPluginId = (id: string): boolean => NAME.test(id) && !(id in Object.prototype);

/** `found`: where it really lies, once that is known; a plugin that is denied is denied under every name it has. */
export function mayLoad({ enabled, allow, deny, entries }: PluginsConfig, written: string, found?: string): boolean {
  const folded = (names: readonly string[]): readonly string[] => names.map((name) => name.trim().toLowerCase());
  const [own, real] = [
    [pluginId(written), written.toLowerCase()],
    found === undefined ? [] : [pluginId(found), found.toLowerCase()],
  ];
  const off = Object.entries(entries)
    .filter(([, entry]) => entry.enabled === false)
    .map(([name]) => name);
  return (
    enabled &&
    !folded([...deny, ...off]).some((name) => own.includes(name) || real.includes(name)) &&
    (allow === undefined || folded(allow).some((name) => own.includes(name)))
  );
}
