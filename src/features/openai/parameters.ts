/**
 * What both request shapes have in common beside the conversation: sampling, reasoning, answer format; and how a wrong
 * field is named.
 */
import { z } from 'zod';
import { present } from '../../core/present.ts';
import type { ThinkingLevel, TurnOptions } from '../../core/turn.ts';
import { invalid } from './content.ts';

export const sampling = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
};
export const tokenLimit = z.number().int().min(1).nullish();
export const effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();

export interface CommonParameters {
  readonly temperature?: number | null | undefined;
  readonly topP?: number | null | undefined;
  readonly maxOutputTokens?: number | null | undefined;
  readonly effort?: z.output<typeof effort>;
}

export function commonOptions({ temperature, topP, maxOutputTokens, effort: level }: CommonParameters): TurnOptions {
  return present({
    temperature: typeof temperature === 'number' ? temperature : undefined,
    topP: typeof topP === 'number' ? topP : undefined,
    maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : undefined,
    thinking: level ? THINKING[level] : undefined,
  });
}

const THINKING: Readonly<Record<NonNullable<z.output<typeof effort>>, ThinkingLevel>> = {
  none: 'off',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'xhigh',
};

/** Agents have no vendor-side answer formats, so a JSON format becomes an instruction; the caller still validates. */
export function formatInstruction(
  format: { readonly type: string; readonly schema?: unknown } | null | undefined,
): string {
  if (!format || format.type === 'text') return '';
  const rule = 'Answer with exactly one JSON value and nothing else: no prose, no code fence.';
  return format.schema === undefined
    ? rule
    : `${rule} It must match this JSON Schema:\n${JSON.stringify(format.schema)}`;
}

/** Validates a body; the first problem becomes `AppError('invalid')` with its path as OpenAI writes it. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = deepest(result.error.issues[0]!);
  const param = pathText(issue.path);
  throw invalid(param ? `${param}: ${issue.message}` : `The body: ${issue.message}`, param);
}

type Issue = z.core.$ZodIssue;

/** Of the alternatives of a union, the one that got furthest is what the caller meant. */
function deepest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors.flatMap((errors) =>
    errors[0] ? [deepest({ ...errors[0], path: [...issue.path, ...errors[0].path] })] : [],
  );
  return inner.reduce<Issue>((best, next) => (next.path.length > best.path.length ? next : best), issue);
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
}
