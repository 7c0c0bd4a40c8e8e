/** Answers of `tools.*`: all tools, the tools of an agent with reasons, and the result of a call. */
import { z } from 'zod';
import { PROFILE_NAMES } from '../../core/tool-groups.ts';
import { toolAccess } from './access.ts';
import { list, text } from './shapes.ts';

const profile = z.enum(PROFILE_NAMES);
const source = z.enum(['core', 'plugin']);
const entry = { id: text, label: text, description: text, source, pluginId: text.exactOptional() };
const group = { id: text, label: text, source, pluginId: text.exactOptional() };

const decision = z.strictObject({
  name: text,
  summary: text,
  source,
  pluginId: text.exactOptional().describe('The third-party plugin that provides it.'),
  allowed: z.boolean(),
  stages: list(
    z.strictObject({ stage: text, ok: z.boolean(), setting: text.exactOptional(), pattern: text.exactOptional() }),
  ).describe('Every policy stage, in order; the first that is not `ok` removed the tool.'),
});
/** One tool and whether policy lets this place use it. */
export type WireToolDecision = z.output<typeof decision>;

const explained = z.strictObject({
  agentId: text,
  sessionKey: text,
  profile: text,
  warnings: list(text),
  tools: list(decision),
  access: toolAccess.exactOptional().describe('For one tool: the access rules of its calls.'),
});
/** Answer of `tools.explain`. */
export type ToolsExplained = z.output<typeof explained>;

const problem = z.strictObject({ code: text, message: text });

/** Answers of the methods about tools. */
export const toolAnswers = {
  'tools.catalog': z.strictObject({
    agentId: text,
    profiles: list(z.strictObject({ id: profile, label: text })),
    groups: list(
      z.strictObject({ ...group, tools: list(z.strictObject({ ...entry, defaultProfiles: list(profile) })) }),
    ),
  }),
  'tools.effective': z.strictObject({
    agentId: text,
    profile: text,
    groups: list(
      z.strictObject({
        id: source,
        label: text,
        source,
        tools: list(z.strictObject({ ...entry, rawDescription: text })),
      }),
    ),
    notices: list(z.strictObject({ id: text, severity: z.literal('warning'), message: text })).exactOptional(),
  }),
  'tools.explain': explained,
  'tools.invoke': z.strictObject({
    ok: z.boolean(),
    toolName: text,
    output: z.unknown().exactOptional().describe('Result of the tool.'),
    error: problem.exactOptional(),
  }),
};
