/** The `retention` slice of the configuration: how long unreferenced files are kept. */
import { z } from 'zod';

const MAX_DAYS = 3650;
const days = z.number().int().min(1).max(MAX_DAYS);

export const retentionSchema = z
  .object({
    logDays: days.default(30).describe('Days a log file is kept. A file named by `logging.file` is never removed.'),
    transcriptDays: days
      .default(365)
      .describe('Days a transcript is kept after its session was reset or deleted. Those of sessions stay.'),
    transcriptMegabytes: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .default(4096)
      .describe('Megabytes that transcripts of reset and deleted sessions may take; beyond that the oldest go first.'),
  })
  .prefault({});

/** What `retentionSchema` reads. */
export type Retention = z.output<typeof retentionSchema>;
