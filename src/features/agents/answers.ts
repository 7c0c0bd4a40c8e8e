/** What the methods about agents answer: what is in force for one, and its workspace files. */
import { z } from 'zod';
import { PROFILE_NAMES } from '../../core/tool-groups.ts';
import { list, text } from '../../protocol/answers/shapes.ts';

const described = z.strictObject({
  agentId: text,
  isDefault: z.boolean(),
  written: z.boolean().describe('False: nothing in the configuration names it; it is the agent there is by default.'),
  name: text.describe('What people call it.'),
  identity: z.strictObject({
    name: text.exactOptional(),
    theme: text.exactOptional(),
    emoji: text.exactOptional(),
    avatar: text.exactOptional(),
  }),
  workspace: text.describe('Its folder, absolute.'),
  model: z.strictObject({
    own: z.boolean().describe('False: it uses the model of all agents.'),
    primary: text.exactOptional().describe('Absent: the gateway chooses.'),
    fallbacks: list(text),
  }),
  skills: list(text).exactOptional().describe('The skills it may use; absent: all.'),
  tools: z
    .strictObject({
      profile: z.enum(PROFILE_NAMES).exactOptional().describe('Absent: that of all agents.'),
      allow: list(text).exactOptional().describe('Only these; absent: all.'),
      deny: list(text).exactOptional(),
      alsoAllow: list(text).exactOptional().describe('Added to the profile; absent of the agent: those of all agents.'),
    })
    .describe('What the configuration says of its tools.'),
  bindings: z.number().describe('Rules that name it.'),
});
/** What is in force for one agent. */
export type AgentDescribed = z.output<typeof described>;

const file = z.strictObject({
  name: text,
  known: z.boolean().describe('Part of every prompt, or read at a known moment.'),
  exists: z.boolean(),
  size: z.number().exactOptional().describe('Bytes.'),
  updatedAt: z.number().exactOptional(),
});
/** A Markdown file directly in the folder of an agent. */
export type AgentFile = z.output<typeof file>;

const content = z.strictObject({
  agentId: text,
  name: text,
  exists: z.boolean(),
  content: text,
  hash: text.describe('sha256 of the bytes; empty where there is no file. Saving must name it as `baseHash`.'),
});

const changed = z.strictObject({ agentId: text, warnings: list(text).describe('Settings that look wrong now.') });

export const answers = {
  'agents.describe': described,
  'agents.create': changed,
  'agents.update': changed,
  'agents.delete': changed.extend({ bindings: z.number().describe('Bindings that were removed with it.') }),
  'agents.bindings.set': z.strictObject({
    hash: text.describe('Of the configuration now; the next change names it as `baseHash`.'),
    warnings: list(text),
  }),
  'agents.files.list': z.strictObject({ agentId: text, workspace: text, files: list(file) }),
  'agents.files.get': content,
  'agents.files.set': content,
};
export type AgentAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

/** Payloads of the events about agents. */
export const payloads = {
  'agents.changed': z.strictObject({ agentId: text.exactOptional().describe('Absent: maybe all of them.') }),
};

type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends AgentAnswers {}
  interface FeatureEvents extends Payloads {}
}
