/** Validates the arguments of a tool call. The error names each mistake, so that the model can correct it. */
import type { z } from 'zod';
import { sizedExcerpt } from '../../core/cut.ts';
import type { Tool } from '../../core/tool.ts';
import { coerce } from './coerce.ts';
import { isSchema, type JsonSchema } from './json-schema.ts';
import { neutralSchema } from './schema-for.ts';

export type ParsedInput<I = unknown> =
  | { readonly ok: true; readonly input: I }
  | { readonly ok: false; readonly error: string };

/** `raw`: an object, or the text of one. Never throws. */
export function parseToolInput<I>(tool: Pick<Tool<I>, 'name' | 'input' | 'aliases'>, raw: unknown): ParsedInput<I> {
  const value = coerce(raw ?? {}, { type: 'object' });
  if (!isSchema(value)) return { ok: false, error: complaint(tool.name, ['- (input): must be a JSON object'], raw) };
  const parsed = tool.input.safeParse(coerce(renamed(value, tool.aliases ?? {}), neutralSchema(tool)));
  if (parsed.success) return { ok: true, input: parsed.data };
  return { ok: false, error: complaint(tool.name, parsed.error.issues.map(line), raw) };
}

/** Other spellings of a parameter become its name; the name itself wins when both are there. */
function renamed(value: JsonSchema, aliases: Readonly<Record<string, string>>): JsonSchema {
  const keys = Object.keys(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const name = Object.hasOwn(aliases, key) ? aliases[key]! : key;
      return name !== key && keys.includes(name) ? [] : [[name, item]];
    }),
  );
}

function line({ path, message, code }: z.core.$ZodIssue): string {
  const missing = code === 'invalid_type' && message.endsWith('received undefined');
  const expected = missing ? /expected ([^,]+)/.exec(message)?.[1] : undefined;
  return (
    `- ${path.map(String).join('.') || '(input)'}: ` +
    `${missing ? `is required${expected ? ` (${expected})` : ''}` : message}`
  );
}

const complaint = (name: string, lines: readonly string[], raw: unknown): string =>
  `The input of ${name} is not valid:\n${lines.join('\n')}\nReceived: ${shown(raw)}`;

/** Long values are cut: the model knows what it wrote. */
function shown(raw: unknown): string {
  const text = (typeof raw === 'string' ? raw : JSON.stringify(raw, null, 2)) ?? 'nothing';
  return sizedExcerpt(text, 2000);
}
