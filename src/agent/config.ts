/** The `agents` and `models` slices of the configuration: who answers, with which model, reached how. */
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
    fallbacks: z.array(modelRef).optional().describe('Tried in this order when the primary model fails.'),
  }),
]);

const identity = z.object({
  name: z.string().optional().describe('How the agent calls itself.'),
  theme: z.string().optional().describe('A few words on its manner.'),
  emoji: z.string().optional().describe('Its emoji.'),
  avatar: z.string().optional().describe('A URL, a data URI or a path inside the workspace.'),
});

const profile = z
  .enum(PROFILE_NAMES)
  .optional()
  .describe("The tools to begin with; absent: `full`, all of them. An agent's own replaces the general one.");
const toolLists = {
  allow: z
    .array(z.string())
    .optional()
    .describe('Only these tools; names, `group:` names or `*` patterns. Absent: all.'),
  deny: z.array(z.string()).optional().describe('Never these tools; wins over allow.'),
};
/**
 * Read by the tool policy; every stage has the same shape. A misspelt profile is an error: ignored, it would open every
 * tool.
 */
const toolStage = {
  profile,
  ...toolLists,
  alsoAllow: z.array(z.string()).optional().describe('Tools beyond those of the profile.'),
};
const toolPolicy = z.looseObject({
  ...toolStage,
  byProvider: z
    .record(z.string(), z.object(toolStage))
    .optional()
    .describe('Further limits while a model of this `provider` or this `provider/model` answers.'),
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
      .describe('Tokens of the newest messages that stay word for word.'),
    model: modelRef.optional().describe("The model that writes the summary; the agent's own when absent."),
    ...accepted('maxHistoryShare', 'memoryFlush', 'reserveTokens'),
  })
  .prefault({});

const modelEntry = z.object({
  alias: z.string().min(1).optional().describe('A short name for the model, usable wherever a model is named.'),
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
        'The model every agent uses unless it names its own. Absent: chosen from keys in the environment, ' +
          'then Ollama, then the offline concierge.',
      ),
    imageModel: modelChoice.optional().describe('The model pictures are described with when the chat model sees none.'),
    models: z
      .record(z.string(), modelEntry)
      .default({})
      .describe('Models by `provider/model`, with aliases and call settings.'),
    workspace: z.string().min(1).default('~/clawd').describe('The folder the agent works in.'),
    thinkingDefault: thinkingLevel
      .optional()
      .describe('How long models think before they answer. Absent: low on models that can reason.'),
    timeoutSeconds: z.number().positive().default(600).describe('Seconds after which a turn is stopped.'),
    answerMaxChars: z
      .number()
      .int()
      .min(1000)
      .default(2_000_000)
      .describe('Characters one answer of a model may have, thinking included; it is ended there with a sentence.'),
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
      .describe('Tokens of context to use at most, whatever the model offers.'),
    compaction: compaction.describe('When and how a long conversation is summarised.'),
    envelopeTimestamp: z.enum(['on', 'off']).default('on').describe('Tell the agent when a channel message came.'),
    envelopeTimezone: z
      .string()
      .default('user')
      .describe('Zone of that time: `user` (userTimezone), `local` (this machine), `utc`, or an IANA zone.'),
    envelopeElapsed: z
      .enum(['on', 'off'])
      .default('off')
      .describe('Tell the agent how long the conversation rested before a channel message.'),
    userTimezone: z
      .string()
      .refine(isZone, { error: 'must be an IANA zone like Europe/Berlin' })
      .optional()
      .describe('IANA zone of the person, e.g. Europe/Berlin. Absent: the zone of this machine.'),
    bootstrapMaxChars: z
      .number()
      .int()
      .min(100)
      .default(20_000)
      .describe('Characters of each workspace file that reach the prompt.'),
    skipBootstrap: z.boolean().default(false).describe('Do not create the workspace files on first run.'),
    subagents: subagentsSchema.describe('Sub-agents: work a session hands to a session of its own.'),
    ...liveShape,
    ...accepted(
      'imageMaxDimensionPx',
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
  default: z.boolean().optional().describe('This agent answers what no binding sends elsewhere.'),
  name: z.string().optional().describe('Shown in lists.'),
  workspace: z
    .string()
    .min(1)
    .optional()
    .describe('Its own folder. Absent: the default one, for further agents with `-<id>` appended.'),
  agentDir: z
    .string()
    .min(1)
    .optional()
    .describe('Accepted and kept unique among agents; no part of this version reads it.'),
  model: modelChoice.optional().describe('Its own model; a bare name keeps the default fallbacks.'),
  identity: identity.optional().describe('Name, manner, emoji and picture.'),
  tools: toolPolicy
    .extend({
      links: linksSchema
        .optional()
        .describe('How this agent reads links: each key given here replaces the one of `tools.links`.'),
      sandbox: z
        .object({
          tools: z
            .object(toolLists)
            .optional()
            .describe('Tools of sandboxed sessions of this agent, in place of `tools.sandbox.tools`.'),
        })
        .optional()
        .describe('Sandboxed sessions of this agent.'),
      subagents: z
        .object({ tools: z.object(toolLists).optional().describe('As in `tools.subagents.tools`.') })
        .optional()
        .describe('Sub-agents of this agent.'),
    })
    .optional()
    .describe('What this agent may use, on top of the root `tools`.'),
  subagents: agentSubagentsSchema
    .optional()
    .describe('Its own settings of sub-agents; each one given here replaces the one of `agents.defaults.subagents`.'),
  skills: z.array(z.string()).optional().describe('Only these skills. Absent: all.'),
  thinkingDefault: thinkingLevel.optional().describe('Its own thinking level.'),
  groupChat: z
    .object({
      mentionPatterns: z
        .array(z.string())
        .optional()
        .describe('Regular expressions that mean this agent in a group; they replace the general ones.'),
      ...accepted('historyLimit'),
    })
    .optional()
    .describe('How it takes part in groups.'),
  humanDelay: humanDelaySchema.optional().describe('Its own pauses between blocks.'),
  ...accepted('description', 'memorySearch', 'params', 'reasoningDefault', 'verboseDefault'),
});

export const agentsConfigSchema = z
  .object({
    defaults: defaults.describe('Settings every agent starts from.'),
    list: z.array(agent).default([]).describe('The agents. Empty: one agent called main.'),
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
    source: z.enum(['env', 'file', 'exec']).describe('Where it is kept; this version reads env.'),
    id: z.string().min(1).describe('The name of the variable.'),
  }),
]);

const price = z.number().min(0).optional();
const model = z.object({
  id: z.string().min(1).describe("The model's name at the vendor."),
  name: z.string().optional().describe('Shown in lists.'),
  reasoning: z.boolean().optional().describe('It can think before it answers.'),
  input: z
    .array(z.enum(['text', 'image', 'audio', 'video', 'document']))
    .optional()
    .describe('What it can be shown.'),
  contextWindow: z.number().int().positive().optional().describe('Tokens it can hold.'),
  maxTokens: z.number().int().positive().optional().describe('Tokens it can answer with.'),
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
    .describe("Where the API lives. Absent: the vendor's own address."),
  apiKey: secret.optional().describe('The key; write `${NAME}` to take it from the environment. Secret.'),
  api: apiName
    .optional()
    .describe("The wire format it speaks. Absent: the vendor's own, openai-completions for names we do not know."),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with every request. Secret.'),
  authHeader: z
    .boolean()
    .optional()
    .describe('Send the key as `Authorization: Bearer`, for Anthropic- and Google-compatible servers that want it so.'),
  models: z.array(model).default([]).describe('Models it offers, with limits and prices.'),
  ...accepted('auth', 'injectNumCtxForOpenAICompat', 'params', 'request', 'timeoutSeconds'),
});

export const modelsConfigSchema = z
  .object({
    mode: z
      .enum(['merge', 'replace'])
      .default('merge')
      .describe(
        'merge: what is written here is added to what we know of a vendor; replace: only what is written here exists.',
      ),
    providers: z.record(z.string(), provider).default({}).describe('Model vendors and servers by name.'),
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
    media: mediaSchema.describe('Pictures, recordings, films and files in messages.'),
    fs: fsSchema.describe('The tools that read and write files.'),
    message: messageToolSchema.describe('The tool that writes on channels.'),
    sessions: sessionToolsSchema.describe('The tools that look at other sessions and write to them.'),
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
          .describe('Tools of sub-agents, on top of what is always denied to them.'),
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
