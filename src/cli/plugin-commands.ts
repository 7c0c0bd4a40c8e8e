/** CLI commands of plugins: a `cli` file in the folder of the plugin, with commands that begin with its name. */
import { configPath, configPaths } from '../config/config-path.ts';
import { AppError } from '../core/errors.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import { readTextNow } from '../platform/read-now.ts';
import type { CliIo, Command } from './command.ts';

/** What is wrong with one is said on the way, and the others are there all the same. */
export async function pluginCommands(io: CliIo): Promise<readonly Command[]> {
  try {
    const env = io.env();
    if (!(await namesPlugins(env))) return [];
    const { loadPluginCommands } = await import('./load-plugin-commands.ts');
    return await loadPluginCommands(env, (problem) => io.err(problem));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.err(`Plugin commands are ignored: ${error.message}`);
    return [];
  }
}

/** The section by its name, an include that may hold it, or a letter written as an escape. */
const MAY_NAME_PLUGINS = /plugins|\$include|\\/;

/** Without the schemas of the whole product, which are read only when there is a plugin. */
async function namesPlugins(env: Env): Promise<boolean> {
  const text = configPaths(env)
    .map(readTextNow)
    .find((one) => one !== undefined);
  if (text === undefined || !MAY_NAME_PLUGINS.test(text)) return false;
  const [{ resolveIncludes }, { getAt }, { plainValue }] = await Promise.all([
    import('../config/include.ts'),
    import('../config/paths.ts'),
    import('../config/sourced.ts'),
  ]);
  const { root } = await resolveIncludes(await configPath(env), { read: readTextIfExists, home: env.home });
  const paths = getAt(plainValue(root), ['plugins', 'load', 'paths']);
  return Array.isArray(paths) && paths.length > 0;
}
