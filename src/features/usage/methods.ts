/** `usage.report` on the wire. */
import { z } from 'zod';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { UsageAnswers } from './answers.ts';
import type { Usage } from './create-usage.ts';

const DEFAULT_DAYS = 30;

export const usageSpecs = defineMethods({
  'usage.report': {
    summary: 'Tokens, cost and latency of model answers by day, agent, channel and model, from the transcripts.',
    needs: 'operator.read',
    params: z.strictObject({ days: z.number().int().min(1).max(366).optional().describe('Default 30.') }),
  },
});

export const usageMethods = (usage: Pick<Usage, 'report'>): MethodWorks<typeof usageSpecs, UsageAnswers> => ({
  'usage.report': ({ days = DEFAULT_DAYS }) => usage.report(days),
});
