/** What the methods about skills answer: those an agent finds, and the text of one. */
import { z } from 'zod';
import { list, text } from '../../protocol/answers/shapes.ts';

const requirement = z.strictObject({
  kind: z.enum(['program', 'one of', 'variable', 'system']),
  name: text,
  met: z.boolean(),
  install: list(text).describe('Commands that would add it, as the skill names them.'),
});
const skill = z.strictObject({
  name: text,
  description: text,
  from: z.enum(['workspace', 'shared']).describe('The folder of the agent, or the one all agents share.'),
  path: text,
  enabled: z.boolean(),
  ready: z.boolean().describe('All it needs is there.'),
  requirements: list(requirement),
});
/** A skill an agent finds, whether it may use it, and what it needs. */
export type AgentSkill = z.output<typeof skill>;

export const answers = {
  'skills.list': z.strictObject({ agentId: text, folders: list(text), skills: list(skill) }),
  'skills.read': z.strictObject({ name: text, path: text, content: text }),
};
export type SkillAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends SkillAnswers {}
}
