/** The `canvasHost` section of the configuration: what agents may show, and where it is served. */
import { z } from 'zod';

const documents = z
  .object({
    maxPerSession: z
      .number()
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('Documents kept for one session; beyond that the oldest are removed.'),
    maxMegabytes: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(25)
      .describe('Megabytes one document may have, its files included.'),
    versions: z
      .number()
      .int()
      .min(0)
      .max(50)
      .default(5)
      .describe('Earlier versions of a document that are kept when it is replaced.'),
  })
  .prefault({})
  .describe('Documents that agents show inside answers.');

export const canvasSchema = z
  .object({
    enabled: z.boolean().default(true).describe('Serve documents and the canvas folders of agents.'),
    port: z
      .number()
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe(
        'A further port for them, e.g. 18793; 0: the system chooses one. Without it they are served on the port of ' +
          'the gateway alone.',
      ),
    bind: z.enum(['loopback', 'lan']).default('loopback').describe('Who reaches that port.'),
    root: z
      .string()
      .optional()
      .describe('Folder that is served as the canvas of the default agent. Default: `canvas` in its workspace.'),
    liveReload: z.boolean().default(true).describe('Reload open pages of a canvas folder when its files change.'),
    publicUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'Address at which people outside reach the gateway. With it, chats get a link to each document an answer ' +
          'shows; whoever has such a link can open that document for a week.',
      ),
    documents,
  })
  .prefault({});

/** What `canvasSchema` reads. */
export type CanvasConfig = z.output<typeof canvasSchema>;
