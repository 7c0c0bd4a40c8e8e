/** The settings of nodes: `gateway.nodes`. */
import { z } from 'zod';

const commands = z.array(z.string().trim().min(1).max(128)).default([]);

/** Which commands of nodes may be invoked. */
export const nodesConfigSchema = z
  .object({
    allowCommands: commands.describe(
      'Commands of nodes that may be invoked besides those that are usual for their platform, e.g. `sms.send`. ' +
        'Agents may then invoke them too.',
    ),
    denyCommands: commands.describe('Commands of nodes that are never invoked, whatever else allows them.'),
  })
  .prefault({});

/** What `nodesConfigSchema` reads. */
export type NodesConfig = z.output<typeof nodesConfigSchema>;
