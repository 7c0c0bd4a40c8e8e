/** CLI commands of plugins: a `cli` file in the folder of the plugin, with commands that begin with its name. */
import { z } from 'zod';
import { configPath } from '../config/config-path.ts';
import { resolveIncludes } from '../config/include.ts';
import { getAt } from '../config/paths.ts';
import { plainValue } from '../config/sourced.ts';
import { AppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import type { CliIo, Command } from './command.ts';

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const shape = z.object({
  commands: z.array(z.looseObject({ name: z.string().min(1), summary: z.string().min(1), load: fn })),
});

/** What is wrong with one is said on the way, and the others are there all the same. */
export async function pluginCommands(io: CliIo): Promise<readonly Command[]> {
  try {
    const env = io.env();
    return (await namesPlugins(env)) ? await load(env, (problem) => io.err(problem)) : [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.err(`Plugin commands are ignored: ${error.message}`);
    return [];
  }
}

/** Without the schemas of the whole product, which are read only when there is a plugin. */
async function namesPlugins(env: Env): Promise<boolean> {
  const { root } = await resolveIncludes(await configPath(env), { read: readTextIfExists, home: env.home });
  const paths = getAt(plainValue(root), ['plugins', 'load', 'paths']);
  return Array.isArray(paths) && paths.length > 0;
}

async function load(env: Env, say: (problem: string) => void): Promise<readonly Command[]> {
  const [{ openConfig }, { loadBeside }, { closedFolders }] = await Promise.all([
    import('./config-file.ts'),
    import('../plugins/third-party.ts'),
    import('../plugins/closed-folders.ts'),
  ]);
  await using store = await openConfig(env);
  const config = store.current();
  const deps = {
    config: config.plugins,
    log: {
      ...silentLog,
      error: (_: string, fields?: object) => say(String((fields as { problem?: unknown }).problem)),
    },
    home: env.home,
    packagesFrom: env.stateDir,
    closed: closedFolders(config, env),
  };
  const found = await loadBeside(deps, 'cli');
  return found.flatMap(({ path, from, module }) => {
    const read = shape.safeParse(module);
    const commands = read.success ? (module as { readonly commands: readonly Command[] }).commands : [];
    if (!read.success) say(`The commands of the plugin ${path} are ignored: ${z.prettifyError(read.error)}`);
    return commands.filter(({ name }) => {
      const own = name === from || name.startsWith(`${from} `);
      if (!own) say(`The command "${name}" of the plugin ${path} is ignored: its name must begin with "${from}".`);
      return own;
    });
  });
}
