/** Serves `storage.*`: disk usage, and removing expired files immediately. */
import { z } from 'zod';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { RetentionAnswers } from './answers.ts';
import type { RetentionService } from './create-retention.ts';

export const retentionSpecs = defineMethods({
  'storage.use': {
    summary: 'How many bytes the journal, transcripts, files and logs take, and what the disk has left.',
    needs: 'operator.read',
    params: z.strictObject({}),
  },
  'storage.prune': {
    summary: 'Removes logs and left transcripts that are older than `retention` allows; the gateway does so by itself.',
    needs: 'operator.admin',
    params: z.strictObject({
      dryRun: z.boolean().optional().describe('Only say what would be removed.'),
    }),
  },
});

export const retentionMethods = (
  retention: Pick<RetentionService, 'measure' | 'prune'>,
): MethodWorks<typeof retentionSpecs, RetentionAnswers> => ({
  'storage.use': () => retention.measure(),
  'storage.prune': async ({ dryRun = false }) => ({ ...(await retention.prune({ dryRun })), dryRun }),
});
