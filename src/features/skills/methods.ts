/** `skills.*` on the wire. */
import { z } from 'zod';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { SkillAnswers } from './answers.ts';
import type { SkillList } from './create-skill-list.ts';

const agentId = z.string().trim().min(1).max(64).optional().describe('Default: the default agent.');

export const skillSpecs = defineMethods({
  'skills.list': {
    summary: 'The skills an agent finds: where each is from, whether it may use it, and what it needs.',
    needs: 'operator.read',
    params: z.strictObject({ agentId }),
  },
  'skills.read': {
    summary: 'The text of a skill.',
    needs: 'operator.read',
    params: z.strictObject({ agentId, name: z.string().min(1).max(200) }),
  },
});

export const skillMethods = (skills: SkillList): MethodWorks<typeof skillSpecs, SkillAnswers> => ({
  'skills.list': ({ agentId }) => skills.list(agentId),
  'skills.read': ({ agentId, name }) => skills.read(name, agentId),
});
