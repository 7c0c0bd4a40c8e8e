/** The `usage` section of the configuration: budgets that are shown beside what was used. */
import { z } from 'zod';

const dollars = z.number().positive().max(1_000_000).optional();

export const usageSchema = z
  .object({
    dailyBudgetUsd: dollars.describe('US dollars a day. Shown as a line in the plots; nothing is stopped.'),
    monthlyBudgetUsd: dollars.describe('US dollars a calendar month. Shown beside the sum; nothing is stopped.'),
  })
  .prefault({});

/** What `usageSchema` reads. */
export type UsageConfig = z.output<typeof usageSchema>;
