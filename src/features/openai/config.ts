/** The `gateway.http.endpoints` slice: they run turns as the owner, so they are served only when somebody asks. */
import { z } from 'zod';

const endpoint = z
  .object({
    enabled: z.boolean().default(false).describe('Enable this endpoint.'),
  })
  .prefault({});

export const endpointsConfigSchema = z.object({ chatCompletions: endpoint, responses: endpoint }).prefault({});
export type EndpointsConfig = z.output<typeof endpointsConfigSchema>;
