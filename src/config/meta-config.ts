/** The `meta` and `env` slices: stamps other releases leave in the file, and variables the file brings along. */
import { z } from 'zod';

export const metaConfigSchema = z
  .looseObject({
    lastTouchedVersion: z
      .string()
      .optional()
      .describe('Version that last wrote the file. Informative; a change has no effect.'),
    lastTouchedAt: z.string().optional().describe('Time of the last write.'),
  })
  .optional()
  .describe('Metadata from tools that write the file.');

export const envConfigSchema = z
  .object({
    vars: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Variables for `${NAME}` and for provider keys; each is used only if the process environment has ' +
          'none. Secret.',
      ),
    shellEnv: z
      .unknown()
      .optional()
      .describe('Accepted; this version does not start a login shell to read its environment.'),
  })
  .catchall(z.string().describe('A variable, as under `vars`. Secret.'))
  .prefault({});

export type EnvConfig = z.output<typeof envConfigSchema>;
