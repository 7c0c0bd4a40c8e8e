/** Checks the shape of a third-party feature, and the names it gives to its parts. */
import { z } from 'zod';
import { OPERATOR_SCOPES } from '../core/principal.ts';

const requirement = z.enum([...OPERATOR_SCOPES, 'node', 'any']);
const hasFunction = (name: string) => (value: unknown) =>
  typeof (value as Readonly<Record<string, unknown>> | null)?.[name] === 'function';
const zodSchema = z.custom<z.ZodType>(hasFunction('safeParse'), 'must be a zod schema');

export const featureContract = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and dashes'),
    summary: z.string().min(1),
    settings: zodSchema.optional(),
    methods: z
      .record(z.string(), z.looseObject({ summary: z.string().min(1), needs: requirement, params: zodSchema }))
      .optional(),
    events: z.record(z.string(), requirement).optional(),
    tools: z.array(z.looseObject({})).optional(),
    create: z.custom((value) => typeof value === 'function', 'must be a function'),
  })
  .check(({ value: { id, methods = {}, events = {} }, issues }) => {
    const own = (name: string): boolean => name.startsWith(`${id}.`) && name.length > id.length + 1;
    const stray = [
      ...Object.keys(methods).flatMap((name) => (own(name) ? [] : [['methods', name, `must begin with "${id}."`]])),
      ...Object.keys(events).flatMap((name) =>
        own(name) || name === id ? [] : [['events', name, `must be "${id}" or begin with "${id}."`]],
      ),
    ] as const;
    for (const [table, name, message] of stray)
      issues.push({ code: 'custom', path: [table!, name!], input: name, message: message! });
  });
