/** The `plugins` slice and the outer shape of `channels`; each channel checks its own part when it is loaded. */
import { z } from 'zod';
import { groupSettingsSchema } from '../config/channel-config.ts';

const names = z.array(z.string().min(1));
export const pluginsConfigSchema = z
  .object({
    enabled: z
      .boolean()
      .default(true)
      .describe('Load plugins from `plugins.load.paths`. Bundled features are not affected.'),
    allow: names.optional().describe('Load only these plugins. Absent: all in load.paths.'),
    deny: names.default([]).describe('Do not load these plugins; takes precedence over allow.'),
    load: z
      .object({
        paths: names
          .default([])
          .describe(
            'Plugins to load: absolute paths (or ~/…) of a folder or file, or names of installed npm ' +
              'packages. They run with the rights of the gateway.',
          ),
      })
      .prefault({})
      .describe('Where plugins come from.'),
    entries: z
      .record(
        z.string(),
        z.looseObject({
          enabled: z.boolean().optional().describe('False: do not load this plugin.'),
          config: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('Settings of the plugin, checked by its own schema.'),
        }),
      )
      .default({})
      .describe('Settings of plugins by id.'),
    installs: z.unknown().optional().describe('Accepted; no part of this version reads it.'),
    slots: z.unknown().optional().describe('Accepted; no part of this version reads it.'),
  })
  .prefault({});

/** One object per channel id, checked by that channel; `defaults` holds for all of them. */
export const channelsConfigSchema = z
  .record(
    z.string(),
    z.looseObject({
      enabled: z.boolean().optional().describe('False: do not start the channel.'),
      groups: z
        .record(z.string(), groupSettingsSchema)
        .optional()
        .describe('Groups by id; `*` applies to all groups that are not listed.'),
    }),
  )
  .default({});

export type PluginsConfig = z.output<typeof pluginsConfigSchema>;
export type ChannelsConfig = z.output<typeof channelsConfigSchema>;
