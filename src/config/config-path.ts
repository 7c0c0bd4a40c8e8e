/** Where the configuration file is. */
import { join } from 'node:path';
import { PRODUCT } from '../core/product.ts';
import type { Env } from '../platform/env.ts';
import { statIfExists } from '../platform/files.ts';

/** File names of three product generations; the first that exists is used, the first is created. */
const FILE_NAMES = [`${PRODUCT}.json`, 'openclaw.json', 'moltbot.json'];

/** Where it may be: the first of these that is a file is in force. */
export const configPaths = ({ configPath: named, stateDir }: Env): readonly string[] =>
  named === undefined ? FILE_NAMES.map((name) => join(stateDir, name)) : [named];

/** The file in force: the one the environment names, else the first that exists in the state directory. */
export async function configPath(env: Env): Promise<string> {
  if (env.configPath !== undefined) return env.configPath;
  const candidates = configPaths(env);
  for (const path of candidates) if ((await statIfExists(path))?.kind === 'file') return path;
  return candidates[0]!;
}
