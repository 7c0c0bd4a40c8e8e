/** Adds settings to a schema at a path, so that a folder can declare its own configuration. */
import { z } from 'zod';
import { AppError } from '../core/errors.ts';

export interface SchemaSlice {
  /** Dots between keys, `[]` behind a list: `cron`, `agents.list[].heartbeat`. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/** A new schema; the given one stays as it is. A path that leads nowhere or to a taken key: `AppError('invalid')`. */
export const extendSchema = <T>(schema: z.ZodType<T>, slices: readonly SchemaSlice[]): z.ZodType<T> =>
  slices.reduce<z.ZodType>((extended, { path, schema: leaf }) => {
    const keys = path.split('.').flatMap((key) => (key.endsWith('[]') ? [key.slice(0, -2), '[]'] : [key]));
    return extendAt(extended, { keys, leaf, path });
  }, schema) as z.ZodType<T>;

interface Extension {
  readonly keys: readonly string[];
  readonly leaf: z.ZodType;
  /** For errors. */
  readonly path: string;
}

function extendAt(schema: z.ZodType, { keys, leaf, path }: Extension): z.ZodType {
  const [key, ...rest] = keys as [string, ...string[]];
  const meta = schema.meta();
  const keepMeta = (next: z.ZodType): z.ZodType => (meta === undefined ? next : next.meta(meta));
  // what is wrapped anew would lose what the wrapper itself asks of it
  const keepAll = (next: z.ZodType): z.ZodType =>
    keepMeta(next.check(...((schema.def.checks ?? []) as z.core.$ZodCheck<unknown>[])));
  if (schema instanceof z.ZodObject) {
    const inner = (schema.shape as Readonly<Record<string, z.ZodType>>)[key];
    if (rest.length === 0 ? inner !== undefined : inner === undefined) throw misplaced(path, key);
    return keepMeta(schema.safeExtend({ [key]: inner ? extendAt(inner, { keys: rest, leaf, path }) : leaf }));
  }
  if (schema instanceof z.ZodArray && key === '[]')
    return keepAll(z.array(extendAt(schema.element as z.ZodType, { keys: rest, leaf, path })));
  if (schema instanceof z.ZodOptional) return keepAll(extendInner(schema, { keys, leaf, path }).optional());
  if (schema instanceof z.ZodDefault)
    return keepAll(extendInner(schema, { keys, leaf, path }).default(schema.def.defaultValue as never));
  if (schema instanceof z.ZodPrefault)
    return keepAll(extendInner(schema, { keys, leaf, path }).prefault(schema.def.defaultValue as never));
  throw misplaced(path, key);
}

const extendInner = (schema: z.ZodOptional | z.ZodDefault | z.ZodPrefault, extension: Extension): z.ZodType =>
  extendAt(schema.def.innerType as z.ZodType, extension);

const misplaced = (path: string, key: string): AppError =>
  new AppError('invalid', `The settings "${path}" have no place in the configuration: "${key}" is taken or missing.`);
