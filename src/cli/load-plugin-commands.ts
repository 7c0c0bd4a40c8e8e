/** Loads the `cli` files of the plugins that the configuration names, and checks what they hold. */
import { z } from 'zod';
import { silentLog } from '../core/log.ts';
import type { Env } from '../platform/env.ts';
import { closedFolders } from '../plugins/closed-folders.ts';
import { loadBeside } from '../plugins/third-party.ts';
import type { Command } from './command.ts';
import { openConfig } from './config-file.ts';

const fn = z.custom((value) => typeof value === 'function', 'must be a function');
const shape = z.object({
  commands: z.array(z.looseObject({ name: z.string().min(1), summary: z.string().min(1), load: fn })),
});

/** `say` is told what is wrong with one; the others are there all the same. */
export async function loadPluginCommands(env: Env, say: (problem: string) => void): Promise<readonly Command[]> {
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
