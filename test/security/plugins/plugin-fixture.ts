/** A state directory, a workspace and a loader, with plugins that record when their code is loaded. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLog, type Log } from '../../../src/core/log.ts';
import { pluginsConfigSchema } from '../../../src/plugins/config.ts';
import { createPluginLoader } from '../../../src/plugins/load.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

export const tool = (name: string): string =>
  `{ name: '${name}', summary: 's', description: 'd', input: { safeParse() {} }, async run() {} }`;

export const ran = (name: string): string => `(globalThis.ranPlugins ??= []).push('${name}');`;

export const plugin = (name: string, ...values: readonly string[]): string =>
  `${ran(name)} export default [${(values.length > 0 ? values : [tool(`of_${name}`)]).join(', ')}];`;

/** Which of them were evaluated since the last look. */
export function evaluated(): readonly string[] {
  const known = globalThis as { ranPlugins?: string[] };
  const names = known.ranPlugins ?? [];
  known.ranPlugins = [];
  return names;
}

export async function fixture() {
  const dir = await tempDir('plugins');
  const at = (...parts: readonly string[]): string => join(dir.path, ...parts);
  const lay = async (path: string, text: string): Promise<string> => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
    return at(path);
  };
  const load = async (paths: readonly string[], more: object = {}) => {
    const problems: string[] = [];
    const log: Log = { ...silentLog, error: (_event, fields) => void problems.push(String(fields?.['problem'])) };
    const loader = createPluginLoader({
      config: pluginsConfigSchema.parse({ load: { paths }, ...more }),
      log,
      home: at('home'),
      packagesFrom: at('state'),
      closed: [at('work'), at('state/media')],
      timeoutMs: 200,
    });
    const tools = (await loader.loadTools()).map(({ name }) => name);
    const channels = (await loader.describeChannels()).map(({ id, label }) => `${id} ${label}`);
    return { loader, tools, channels, origins: await loader.toolOrigins(), problems, ran: evaluated() };
  };
  return { at, lay, load, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}
