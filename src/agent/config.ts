/** The `agents` and `models` slices of the configuration. */
import { z } from 'zod';
import type { ProviderApi } from '../core/provider.ts';
import { THINKING_LEVELS } from '../core/turn.ts';
import { humanDelaySchema, liveShape } from '../config/delivery-config.ts';
import { messageToolSchema } from '../config/message-tool-config.ts';
import {
  agentSubagentsSchema,
  agentToAgentSchema,
  sessionToolsSchema,
  subagentsSchema,
} from '../config/session-tools-config.ts';
import { linksSchema, mediaSchema } from '../config/understanding-config.ts';
import { PROFILE_NAMES } from '../core/tool-groups.ts';
import { isZone } from '../platform/time-zone.ts';

/** Keys other parts of the product family use; kept so that their files load without a warning, read by nobody here. */
const accepted = <K extends string>(...keys: readonly K[]): { [P in K]: z.ZodOptional<z.ZodUnknown> } =>
  Object.fromEntries(
    keys.map((key) => [key, z.unknown().optional().describe('Accepted; no part of this version reads it.')]),
  ) as { [P in K]: z.ZodOptional<z.ZodUnknown> };

const modelRef = z.string().min(1);
/** Levels only some vendors have become the nearest one every vendor has. */
const thinkingLevel = z
  .enum([...THINKING_LEVELS, 'adaptive', 'max'])
  .transform((level) => (level === 'adaptive' ? 'medium' : level === 'max' ? 'xhigh' : level));

const modelChoice = z.union([
  modelRef.describe('`provider/model` or an alias.'),
  z.object({
    primary: modelRef.optional().describe('`provider/model` or an alias.'),
    fallbacks: z.array(modelRef).optional().describe('Models to try, in order, if the primary model fails.'),
  }),
]);

const identity = z.object({
  name: z.string().optional().describe('Name of the agent.'),
  theme: z.string().optional().describe('Short description of its style.'),
  emoji: z.string().optional().describe('Emoji of the agent.'),
  avatar: z.string().optional().describe('A URL, a data URI or a path inside the workspace.'),
});

const profile = z
  .enum(PROFILE_NAMES)
  .optional()
  .describe('Base set of tools. Absent: `full`, all tools. The profile of an agent replaces the general one.');
const toolLists = {
  allow: z
    .array(z.string())
    .optional()
    .describe('Allow only these tools: names, `group:` names or `*` patterns. Absent: all.'),
  deny: z.array(z.string()).optional().describe('Deny these tools; takes precedence over allow.'),
};
/**
 * Read by the tool policy; every stage has the same shape. A misspelt profile is an error: ignored, it would open every
 * tool.
 */
const toolStage = {
  profile,
  ...toolLists,
  alsoAllow: z.array(z.string()).optional().describe('Tools to add to the profile.'),
};
const toolPolicy = z.looseObject({
  ...toolStage,
  byProvider: z
    .record(z.string(), z.object(toolStage))
    .optional()
    .describe('Additional limits while a model of this `provider`, or this `provider/model`, answers.'),
});

const compaction = z
  .object({
    mode: z.enum(['default', 'safeguard']).default('safeguard').describe('Accepted; no part of this version reads it.'),
    reserveTokensFloor: z
      .number()
      .int()
      .min(0)
      .default(20_000)
      .describe('Tokens kept free for the answer; compaction starts before they are used.'),
    keepRecentTokens: z
      .number()
      .int()
      .min(0)
      .default(20_000)
      .describe('Tokens of the newest messages that are kept verbatim.'),
    model: modelRef.optional().describe('Model that writes the summary. Absent: the model of the agent.'),
    ...accepted('maxHistoryShare', 'memoryFlush', 'reserveTokens'),
  })
  .prefault({});

const modelEntry = z.object({
  alias: z.string().min(1).optional().describe('Short name that can be used in place of `provider/model`.'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Call settings for this model: temperature, topP, maxTokens.'),
  ...accepted('streaming'),
});

const defaults = z
  .object({
    model: modelChoice
      .optional()
      .describe(
        'Model of every agent that does not set its own. Absent: chosen from keys in the environment, ' +
          'then Ollama, then the offline concierge.',
      ),
    imageModel: modelChoice
      .optional()
      .describe('Model that describes images if the chat model does not accept images.'),
    models: z
      .record(z.string(), modelEntry)
      .default({})
      .describe('Models by `provider/model`, with aliases and call settings.'),
    workspace: z.string().min(1).default('~/clawd').describe('The folder the agent works in.'),
    thinkingDefault: thinkingLevel.optional().describe('Thinking level. Absent: low on models that can reason.'),
    timeoutSeconds: z.number().positive().default(600).describe('Seconds after which a turn is stopped.'),
    answerMaxChars: z
      .number()
      .int()
      .min(1000)
      .default(2_000_000)
      .describe(
        'Maximum length of one model answer in characters, reasoning included. Longer answers are cut with a notice.',
      ),
    maxConcurrent: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe(
        'Turns that run at the same time, over all sessions. Absent: by memory, eight for each GiB of it, at ' +
          'least 4 and at most 64. Heartbeats and hooks have a quarter as many places of their own.',
      ),
    contextTokens: z
      .number()
      .int()
      .min(1000)
      .optional()
      .describe('Maximum number of context tokens to use, even if the model supports more.'),
    compaction: compaction.describe('When and how long conversations are summarised.'),
    envelopeTimestamp: z.enum(['on', 'off']).default('on').describe('Tell the agent when a channel message was sent.'),
    envelopeTimezone: z
      .string()
      .default('user')
      .describe('Time zone of that timestamp: `user` (userTimezone), `local` (this machine), `utc`, or an IANA zone.'),
    envelopeElapsed: z
      .enum(['on', 'off'])
      .default('off')
      .describe('Tell the agent how long the conversation was idle before a channel message.'),
    userTimezone: z
      .string()
      .refine(isZone, { error: 'must be an IANA zone like Europe/Berlin' })
      .optional()
      .describe('IANA time zone of the owner, e.g. Europe/Berlin. Absent: the zone of this machine.'),
    bootstrapMaxChars: z
      .number()
      .int()
      .min(100)
      .default(20_000)
      .describe('Maximum number of characters of each workspace file in the prompt.'),
    imageMaxDimensionPx: z
      .number()
      .int()
      .min(64)
      .optional()
      .describe(
        'Longer side, in pixels, of the screenshots of the browser that models and describers are shown; ' +
          'the file keeps its size. Absent, or more than 2000: 2000.',
      ),
    skipBootstrap: z.boolean().default(false).describe('Do not create the workspace files on first run.'),
    subagents: subagentsSchema.describe('Sub-agents: sessions that a session starts for a task.'),
    ...liveShape,
    ...accepted(
      'repoRoot',
      'timeFormat',
      'verboseDefault',
      'reasoningDefault',
      'mediaMaxMb',
      'contextPruning',
      'memorySearch',
      'cliBackends',
      'pdfModel',
    ),
  })
  .prefault({});

const agent = z.object({
  id: z.string().min(1).describe('Short lower-case name; part of session keys and paths.'),
  default: z.boolean().optional().describe('This agent answers messages that match no binding.'),
  name: z.string().optional().describe('Display name.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('Workspace folder. Absent: the default folder, with `-<id>` appended for agents other than the default.'),
  agentDir: z
    .string()
    .min(1)
    .optional()
    .describe('Accepted and kept unique among agents; no part of this version reads it.'),
  model: modelChoice.optional().describe('Model of this agent. A string keeps the default fallbacks.'),
  identity: identity.optional().describe('Name, style, emoji and avatar.'),
  tools: toolPolicy
    .extend({
      links: linksSchema
        .optional()
        .describe('Link settings of this agent; each key replaces the one in `tools.links`.'),
      sandbox: z
        .object({
          tools: z
            .object(toolLists)
            .optional()
            .describe('Tools of sandboxed sessions of this agent; replaces `tools.sandbox.tools`.'),
        })
        .optional()
        .describe('Sandboxed sessions of this agent.'),
      subagents: z
        .object({ tools: z.object(toolLists).optional().describe('As in `tools.subagents.tools`.') })
        .optional()
        .describe('Sub-agents of this agent.'),
    })
    .optional()
    .describe('Tools of this agent, in addition to the root `tools`.'),
  subagents: agentSubagentsSchema
    .optional()
    .describe('Sub-agent settings of this agent; each replaces the one in `agents.defaults.subagents`.'),
  skills: z.array(z.string()).optional().describe('Skills this agent may use. Absent: all.'),
  thinkingDefault: thinkingLevel.optional().describe('Thinking level of this agent.'),
  groupChat: z
    .object({
      mentionPatterns: z
        .array(z.string())
        .optional()
        .describe('Regular expressions that address this agent in a group; they replace the general ones.'),
      ...accepted('historyLimit'),
    })
    .optional()
    .describe('Behavior in groups.'),
  humanDelay: humanDelaySchema.optional().describe('Pauses between blocks of this agent.'),
  ...accepted('description', 'memorySearch', 'params', 'reasoningDefault', 'verboseDefault'),
});

export const agentsConfigSchema = z
  .object({
    defaults: defaults.describe('Settings every agent starts from.'),
    list: z.array(agent).default([]).describe('The agents. Empty: one agent with the id main.'),
  })
  .prefault({});

export const SPOKEN_APIS = [
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'google-generative-ai',
] as const satisfies readonly ProviderApi[];
/** Named by files of the product family; such a provider is refused when it is used, the rest of the file works. */
const OTHER_APIS = [
  'ollama',
  'openai-codex-responses',
  'github-copilot',
  'bedrock-converse-stream',
  'azure-openai-responses',
] as const;

const apiName = z.enum([...SPOKEN_APIS, ...OTHER_APIS]);

const secret = z.union([
  z.string(),
  z.looseObject({
    source: z.enum(['env', 'file', 'exec']).describe('Source of the key; this version supports env.'),
    id: z.string().min(1).describe('Name of the variable.'),
  }),
]);

const price = z.number().min(0).optional();
const model = z.object({
  id: z.string().min(1).describe('Model id at the provider.'),
  name: z.string().optional().describe('Display name.'),
  reasoning: z.boolean().optional().describe('The model can reason before it answers.'),
  input: z
    .array(z.enum(['text', 'image', 'audio', 'video', 'document']))
    .optional()
    .describe('Kinds of input the model accepts.'),
  contextWindow: z.number().int().positive().optional().describe('Size of the context window in tokens.'),
  maxTokens: z.number().int().positive().optional().describe('Maximum number of output tokens.'),
  cost: z
    .object({
      input: price.describe('Input.'),
      output: price.describe('Output.'),
      cacheRead: price.describe('Input read from the cache.'),
      cacheWrite: price.describe('Input written to the cache.'),
    })
    .optional()
    .describe('US dollars per million tokens.'),
  ...accepted('api', 'headers', 'compat', 'contextTokens', 'params'),
});

const provider = z.object({
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional()
    .describe('Base URL of the API. Absent: the address of the provider.'),
  apiKey: secret.optional().describe('API key; use `${NAME}` to read it from the environment. Secret.'),
  api: apiName
    .optional()
    .describe('Wire format of the API. Absent: that of the provider, or openai-completions for unknown names.'),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with every request. Secret.'),
  authHeader: z
    .boolean()
    .optional()
    .describe('Send the key as `Authorization: Bearer`, for Anthropic- and Google-compatible servers that require it.'),
  models: z.array(model).default([]).describe('Available models, with limits and prices.'),
  ...accepted('auth', 'injectNumCtxForOpenAICompat', 'params', 'request', 'timeoutSeconds'),
});

export const modelsConfigSchema = z
  .object({
    mode: z
      .enum(['merge', 'replace'])
      .default('merge')
      .describe('merge: settings here are added to the built-in providers; replace: only the providers here exist.'),
    providers: z.record(z.string(), provider).default({}).describe('Model providers and servers by name.'),
  })
  .prefault({});

const fsSchema = z
  .object({
    workspaceOnly: z
      .boolean()
      .default(true)
      .describe('Keep read, write, edit, apply_patch and image inside the workspace.'),
  })
  .prefault({});

/** Holds for every agent; `agents.list[].tools` removes further. */
export const toolsConfigSchema = toolPolicy
  .extend({
    links: linksSchema.optional().describe('Links in messages, read by commands before the agent sees them.'),
    media: mediaSchema.describe('Images, audio, video and files in messages.'),
    fs: fsSchema.describe('File tools.'),
    message: messageToolSchema.describe('The `message` tool.'),
    sessions: sessionToolsSchema.describe('Session tools.'),
    agentToAgent: agentToAgentSchema.describe('Sessions of different agents.'),
    sandbox: z
      .object({
        tools: z
          .object(toolLists)
          .prefault({})
          .describe(
            'Tools of sandboxed sessions. Absent lists: bash, process, files, image and the session tools ' +
              'are allowed; browser, canvas, nodes, cron, gateway are denied.',
          ),
      })
      .prefault({})
      .describe('Sandboxed sessions.'),
    subagents: z
      .object({
        tools: z
          .object(toolLists)
          .prefault({})
          .describe('Tools of sub-agents, in addition to those that are always denied.'),
      })
      .prefault({})
      .describe('Sub-agents.'),
  })
  .prefault({});

export type ToolsConfig = z.output<typeof toolsConfigSchema>;
export type AgentsConfig = z.output<typeof agentsConfigSchema>;
export type ModelsConfig = z.output<typeof modelsConfigSchema>;
export type AgentEntry = AgentsConfig['list'][number];
export type AgentIdentity = z.output<typeof identity>;
export type ModelChoice = z.output<typeof modelChoice>;
export type ProviderConfig = z.output<typeof provider>;
