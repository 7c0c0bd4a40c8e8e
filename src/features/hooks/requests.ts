/** The bodies of `/wake` and `/agent`, and the results of transforms. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { THINKING_LEVELS } from '../../core/turn.ts';
import { describeProblem } from '../../protocol/fields.ts';

const MAX_CHARS = 100_000;

/** `null` and blank text count as left out. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
    schema.optional(),
  );
const word = optional(z.string().trim().max(512));
const text = z
  .string()
  .max(MAX_CHARS)
  .refine((value) => value.trim() !== '', 'must not be blank');
const wakeMode = optional(z.enum(['now', 'next-heartbeat']));
const key = optional(z.string().trim().max(200));

const wakeBody = z.object({ text, mode: wakeMode, sessionKey: word, idempotencyKey: key });
export type WakeBody = z.output<typeof wakeBody>;

const agentFields = {
  name: optional(z.string().trim().max(100)),
  agentId: word,
  wakeMode,
  sessionKey: word,
  deliver: optional(z.boolean()),
  channel: word,
  to: word,
  model: word,
  thinking: optional(z.enum(THINKING_LEVELS)),
  timeoutSeconds: optional(z.number().positive().max(86_400)),
};
const agentBody = z.object({ ...agentFields, message: text, idempotencyKey: key });
export type AgentBody = z.output<typeof agentBody>;

const transformed = z.object({
  ...agentFields,
  message: optional(z.string().max(MAX_CHARS)),
  text: optional(z.string().max(MAX_CHARS)),
  kind: optional(z.enum(['wake', 'agent'])),
  action: optional(z.enum(['wake', 'agent'])),
  mode: wakeMode,
});
/** Fields it leaves out are the mapping's. */
export type Transformed = z.output<typeof transformed>;

/** `AppError('invalid')` names the field. */
function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new AppError('invalid', describeProblem(parsed.error));
}

export const readWake = (body: unknown): WakeBody => read(wakeBody, body);
export const readAgent = (body: unknown): AgentBody => read(agentBody, body);
export const readTransformed = (answer: unknown): Transformed => read(transformed, answer);
export const readKey = (body: unknown): string | undefined =>
  read(z.object({ idempotencyKey: key }), typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {})
    .idempotencyKey;
