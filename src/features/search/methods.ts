/** Serves `sessions.search`. */
import { z } from 'zod';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { SearchAnswers } from './answers.ts';
import { searchTranscripts, type SearchDeps } from './search-transcripts.ts';

const DEFAULT_LIMIT = 30;

export const searchSpecs = defineMethods({
  'sessions.search': {
    summary: 'Finds messages that contain every word of a query, in the sessions used last first.',
    needs: 'operator.read',
    params: z.strictObject({
      query: z.string().trim().min(2).max(200).describe('Words; upper and lower case are the same.'),
      limit: z.number().int().min(1).max(100).optional().describe('Default 30.'),
    }),
  },
});

export const searchMethods = (deps: SearchDeps): MethodWorks<typeof searchSpecs, SearchAnswers> => ({
  'sessions.search': ({ query, limit = DEFAULT_LIMIT }) => searchTranscripts({ query, limit }, deps),
});
