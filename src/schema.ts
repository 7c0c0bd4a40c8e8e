/** The schema of the whole configuration: joins the slices of the folders, and declares only rules across them. */
import { z } from 'zod';
import { agentsConfigSchema, modelsConfigSchema, toolsConfigSchema } from './agent/config.ts';
import { accessConfigSchema } from './config/access-config.ts';
import { extendSchema, type SchemaSlice } from './config/extend-schema.ts';
import { envConfigSchema, metaConfigSchema } from './config/meta-config.ts';
import { gatewayConfigSchema, type GatewayConfig } from './gateway/config.ts';
import { isExposedBeyondLoopback } from './config/secret-length.ts';
import { joinRules, type JoinedRules, type SettingRules } from './config/setting-rules.ts';
import { commandsConfigSchema } from './pipeline/commands/config.ts';
import { broadcastConfigSchema, strayBroadcastAgents } from './pipeline/routing/broadcast-config.ts';
import { bindingsConfigSchema } from './pipeline/routing/config.ts';
import { loggingConfigSchema } from './platform/log-config.ts';
import { securityConfigSchema } from './platform/net/config.ts';
import { channelsConfigSchema, pluginsConfigSchema } from './plugins/config.ts';
import { messagesConfigSchema, sessionConfigSchema } from './sessions/config.ts';

export const configSchema = z
  .object({
    meta: metaConfigSchema,
    env: envConfigSchema,
    agents: agentsConfigSchema,
    models: modelsConfigSchema,
    tools: toolsConfigSchema,
    bindings: bindingsConfigSchema,
    broadcast: broadcastConfigSchema.describe('Chats that several agents answer, each in its own session.'),
    channels: channelsConfigSchema.describe('Channels by id; `defaults` applies to all of them.'),
    session: sessionConfigSchema,
    messages: messagesConfigSchema,
    commands: commandsConfigSchema,
    access: accessConfigSchema.describe('What people other than the owner may access beyond their own conversation.'),
    gateway: gatewayConfigSchema,
    plugins: pluginsConfigSchema,
    security: securityConfigSchema,
    logging: loggingConfigSchema,
  })
  .check((context) => {
    // Two agents in one place would read each other's sessions and credentials.
    for (const key of ['id', 'agentDir'] as const) {
      const seen = new Set<string>();
      context.value.agents.list.forEach((agent, index) => {
        const value = agent[key];
        if (value !== undefined && seen.has(value))
          context.issues.push({
            code: 'custom',
            path: ['agents', 'list', index, key],
            input: value,
            message: `is "${value}", which another agent has already`,
          });
        if (value !== undefined) seen.add(value);
      });
    }
    for (const { path, agentId } of strayBroadcastAgents(
      context.value.broadcast,
      context.value.agents.list.map(({ id }) => id),
    ))
      context.issues.push({
        code: 'custom',
        path: [...path],
        input: agentId,
        message: `there is no agent "${agentId}"`,
      });
  });

/** What is needed of a feature: its settings, and what shows only beside the settings of others. */
export interface ConfiguredFeature {
  readonly config?: readonly SchemaSlice[];
  readonly settings?: SettingRules;
  readonly checkConfig?: (
    config: unknown,
    facts: { readonly reachable: boolean },
  ) => readonly { readonly path: readonly string[]; readonly message: string }[];
}

/** The schema with what features add to it. `gateway`: what the command line makes of that section. */
export const withFeatures = (
  features: readonly ConfiguredFeature[],
  gateway: Partial<GatewayConfig> = {},
): typeof configSchema =>
  (
    extendSchema(
      configSchema,
      features.flatMap(({ config = [] }) => config),
    ) as typeof configSchema
  ).check((context) => {
    const reachable = isExposedBeyondLoopback({ ...context.value.gateway, ...gateway });
    for (const { path, message } of features.flatMap((one) => one.checkConfig?.(context.value, { reachable }) ?? []))
      context.issues.push({ code: 'custom', path: [...path], input: undefined, message });
  });

/** What features know of their settings beside the schema. */
export const rulesOfFeatures = (features: readonly ConfiguredFeature[]): JoinedRules =>
  joinRules(features.flatMap(({ settings = [] }) => settings));

/** Frozen once loaded; a turn keeps the one it began with. */
export type Config = z.output<typeof configSchema>;
