/** The `meta` and `env` slices: stamps other releases leave in the file, and variables the file brings along. */
import { z } from 'zod';

export const metaConfigSchema = z
  .looseObject({
    lastTouchedVersion: z
      .string()
      .optional()
      .describe('Which release wrote the file last. Informative; a change of it restarts nothing.'),
    lastTouchedAt: z.string().optional().describe('When that was.'),
  })
  .optional()
  .describe('Stamps left by tools that write the file.');

export const envConfigSchema = z
  .object({
    vars: z
      .record(z.string(), z.string())
      .default({})
      .describe(
        'Variables for `${NAME}` and for provider keys; each applies only where the process environment has ' +
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
