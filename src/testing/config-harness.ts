/** A temporary state directory with a small schema, for tests of the configuration. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { silentLog } from '../core/log.ts';
import { readEnv } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import { tempDir } from './temp-dir.ts';
import { createConfigStore, type ConfigStoreOptions } from '../config/create-store.ts';
import { envConfigSchema } from '../config/meta-config.ts';
import type { ConfigStore } from '../config/store.ts';

/** Small, with one of every kind of setting. */
const schema = z.object({
  meta: z.unknown().optional(),
  env: envConfigSchema,
  gateway: z
    .object({
      port: z.number().int().min(0).max(65_535).default(18_789).describe('The port.'),
      bind: z.enum(['loopback', 'lan']).default('loopback').describe('Which addresses.'),
      auth: z.object({ token: z.string().optional().describe('The token.') }).prefault({}),
    })
    .prefault({}),
  agents: z
    .object({
      defaults: z
        .object({
          model: z
            .union([z.string(), z.object({ primary: z.string().optional() })])
            .optional()
            .describe('The model.'),
          workspace: z.string().default('~/clawd').describe('The folder.'),
        })
        .prefault({}),
      list: z.array(z.object({ id: z.string(), name: z.string().optional() })).default([]),
    })
    .prefault({}),
  channels: z.record(z.string(), z.looseObject({})).default({}),
  vendor: z
    .object({ headers: z.record(z.string(), z.string()).default({}).describe('Sent along. Secret.') })
    .prefault({}),
});
export type Config = z.output<typeof schema>;

export interface Harness extends AsyncDisposable {
  readonly dir: string;
  readonly file: string;
  /** Writes a file as an editor would and gives its path. */
  put(text: string, name?: string): Promise<string>;
  read(name?: string): Promise<string | undefined>;
  open(options?: Partial<ConfigStoreOptions<Config>>, vars?: Record<string, string>): Promise<ConfigStore<Config>>;
}

/** `await using b = await harness();` */
export async function harness(): Promise<Harness> {
  const dir = await tempDir('config');
  const opened: AsyncDisposable[] = [];
  const at = (name: string): string => join(dir.path, name);
  return {
    dir: dir.path,
    file: at('clawdbot.json'),
    async put(text, name = 'clawdbot.json') {
      await writeFile(at(name), text);
      return at(name);
    },
    read: (name = 'clawdbot.json') => readTextIfExists(at(name)),
    async open(options = {}, vars = {}) {
      const env = readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path, ...vars });
      const store = await createConfigStore<Config>({ schema, env, log: silentLog, settleMs: () => 5, ...options });
      opened.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of opened) await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
