/** The `plugins` slice and the outer shape of `channels`; each channel checks its own part when it is loaded. */
import { z } from 'zod';
import { groupSettingsSchema } from '../config/channel-config.ts';

const names = z.array(z.string().min(1));
export const pluginsConfigSchema = z
  .object({
    enabled: z
      .boolean()
      .default(true)
      .describe('Load plugins from `plugins.load.paths`. What this product brings along is not affected.'),
    allow: names.optional().describe('Only these plugins; absent: all that are named under load.paths.'),
    deny: names.default([]).describe('Never these plugins; wins over allow.'),
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
          enabled: z.boolean().optional().describe('False: this plugin is not loaded.'),
          config: z
            .record(z.string(), z.unknown())
            .optional()
            .describe('Settings of the feature the plugin brings; its own schema checks them.'),
        }),
      )
      .default({})
      .describe('Settings of single plugins by id.'),
    installs: z.unknown().optional().describe('Accepted; no part of this version reads it.'),
    slots: z.unknown().optional().describe('Accepted; no part of this version reads it.'),
  })
  .prefault({});

/** One object per channel id, checked by that channel; `defaults` holds for all of them. */
export const channelsConfigSchema = z
  .record(
    z.string(),
    z.looseObject({
      enabled: z.boolean().optional().describe('False: the channel is not started.'),
      groups: z
        .record(z.string(), groupSettingsSchema)
        .optional()
        .describe('Groups by id; `*` stands for every group not named.'),
    }),
  )
  .default({});

export type PluginsConfig = z.output<typeof pluginsConfigSchema>;
export type ChannelsConfig = z.output<typeof channelsConfigSchema>;
