/** Reads the parameters of a command, or ends it with `INVALID_REQUEST`. */
import type { z } from 'zod';
import { describeProblem } from '../protocol/fields.ts';
import { NodeError } from './offer.ts';

export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const read = schema.safeParse(params ?? {});
  if (read.success) return read.data;
  throw new NodeError('INVALID_REQUEST', describeProblem(read.error));
}
