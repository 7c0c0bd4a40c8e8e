/** Validates the parameters of a tool call. */
import type { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { describeProblem } from '../../../protocol/fields.ts';

/** Throws `AppError('invalid')` with the name of the field. */
export function readParams<T>(schema: z.ZodType<T>, params: unknown): T {
  const read = schema.safeParse(params);
  if (read.success) return read.data;
  throw new AppError('invalid', describeProblem(read.error));
}
