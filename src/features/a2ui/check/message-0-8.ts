/** Schemas of A2UI 0.8 messages, and the change each message makes to a surface. */
import { present } from '../../../core/present.ts';
import { z } from 'zod';
import { isPointer, MAX_PATH_SEGMENTS, segmentsOf, withValueAt, type Json } from '../surface/data-path.ts';
import type { Component, SurfaceMessage } from '../surface/surface.ts';
import { schemaOf, type Catalog } from './catalog.ts';
import { CATALOG_0_8 } from './catalog-0-8.ts';
import { issuesOf, type Checked } from './issues.ts';
import { nestingIssue } from './nesting.ts';

/** The four messages by their keys. */
export const KEYS_0_8 = ['surfaceUpdate', 'dataModelUpdate', 'beginRendering', 'deleteSurface'] as const;

const MAX_MAP_DEPTH = 16;
const MAX_ISSUES = 50;
/** Components between two looks at the event loop. */
const AT_ONCE = 50;

const surfaceId = z.string().min(1).max(256);
const componentShape = z.strictObject({
  id: z.string().min(1).max(256),
  weight: z.number().optional(),
  component: z
    .record(z.string(), z.looseObject({}))
    .refine((value) => Object.keys(value).length === 1, { error: 'expected exactly one component name' }),
});

interface Entry {
  readonly key: string;
  readonly valueString?: string | undefined;
  readonly valueNumber?: number | undefined;
  readonly valueBoolean?: boolean | undefined;
  readonly valueMap?: readonly Entry[] | undefined;
}
const VALUES = ['valueString', 'valueNumber', 'valueBoolean', 'valueMap'] as const;
/** Deeper than the published schema, which ends at one level, as far as renderers read. */
const entryAt = (depth: number): z.ZodType<Entry> =>
  z
    .strictObject({
      key: z.string(),
      valueString: z.string().optional(),
      valueNumber: z.number().optional(),
      valueBoolean: z.boolean().optional(),
      ...present({
        valueMap: depth < MAX_MAP_DEPTH ? z.lazy(() => z.array(entryAt(depth + 1))).optional() : undefined,
      }),
    })
    .refine((entry) => VALUES.filter((name) => (entry as Entry)[name] !== undefined).length === 1, {
      error: `expected exactly one of ${VALUES.join(', ')}`,
    }) as unknown as z.ZodType<Entry>;

const shapes = {
  surfaceUpdate: z.strictObject({ surfaceId, components: z.array(z.unknown()).min(1) }),
  dataModelUpdate: z.strictObject({
    surfaceId,
    path: z
      .string()
      .refine((path) => segmentsOf(path).length <= MAX_PATH_SEGMENTS, {
        error: `expected at most ${MAX_PATH_SEGMENTS} parts`,
      })
      .refine(isPointer, { error: 'Invalid path syntax: ~ is written ~0, and / within a name ~1' })
      .optional(),
    contents: z.array(entryAt(0)),
  }),
  beginRendering: z.strictObject({
    surfaceId,
    root: z.string().min(1),
    catalogId: z.string().optional(),
    styles: z.record(z.string(), z.unknown()).optional(),
  }),
  deleteSurface: z.strictObject({ surfaceId }),
};

/** Reads the value under one of the four keys. Components that are not in the catalogue are let through. */
export async function readMessage08(
  key: (typeof KEYS_0_8)[number],
  body: unknown,
  catalog: Catalog = CATALOG_0_8,
): Promise<Checked<SurfaceMessage>> {
  const version = '0.8';
  switch (key) {
    case 'surfaceUpdate': {
      const read = shapes.surfaceUpdate.safeParse(body);
      if (!read.success) return { issues: issuesOf(key, read.error, body) };
      const { components, issues } = await readComponents(read.data.components, catalog);
      return issues.length > 0
        ? { issues }
        : { value: { kind: 'components', version, surfaceId: read.data.surfaceId, components } };
    }
    case 'dataModelUpdate': {
      const read = shapes.dataModelUpdate.safeParse(body);
      if (!read.success) return { issues: issuesOf(key, read.error, body) };
      return { value: { kind: 'data', version, ...dataOf(read.data) } };
    }
    case 'beginRendering': {
      const read = shapes.beginRendering.safeParse(body);
      if (!read.success) return { issues: issuesOf(key, read.error, body) };
      const { catalogId, styles, ...rest } = read.data;
      return {
        value: {
          kind: 'begin',
          version,
          ...rest,
          ...present({ catalogId, styles }),
        },
      };
    }
    case 'deleteSurface': {
      const read = shapes.deleteSurface.safeParse(body);
      return read.success
        ? { value: { kind: 'delete', version, ...read.data } }
        : { issues: issuesOf(key, read.error, body) };
    }
  }
}

const componentOf = ({ id, weight, component }: z.output<typeof componentShape>): Component => {
  const [[type, props]] = Object.entries(component) as [[string, Readonly<Record<string, unknown>>]];
  return { id, type, ...present({ weight }), props };
};

function duplicates(components: readonly Component[]): readonly string[] {
  const seen = new Set<string>();
  return components.flatMap(({ id }) => {
    if (seen.has(id)) return [`Duplicate component ID: ${id}`];
    seen.add(id);
    return [];
  });
}

/** Lets other work go first now and then: many components take longer than the event loop should wait. */
async function readComponents(input: readonly unknown[], catalog: Catalog) {
  const components: Component[] = [];
  const issues: string[] = [];
  for (const [index, one] of input.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise<void>((resolve) => void setImmediate(resolve));
    const at = `surfaceUpdate.components[${index}]`;
    const read = componentShape.safeParse(one);
    if (!read.success) issues.push(...issuesOf(at, read.error, one));
    else {
      const component = componentOf(read.data);
      components.push(component);
      issues.push(...propIssues(component, at, catalog));
    }
    if (issues.length > MAX_ISSUES) break;
  }
  return { components, issues: [...duplicates(components), ...issues] };
}

function propIssues({ id, type, props }: Component, at: string, catalog: Catalog): readonly string[] {
  const where = `${at} (${id}).${type}`;
  const nesting = nestingIssue(props);
  if (nesting !== undefined) return [`${where}: ${nesting}`];
  const read = schemaOf(catalog, type)?.safeParse(props);
  return read && !read.success ? issuesOf(where, read.error, props) : [];
}

/** The entry whose key is `.` stands for the place itself. */
function dataOf({ surfaceId: id, path = '', contents }: z.output<typeof shapes.dataModelUpdate>) {
  const [first] = contents;
  const value = contents.length === 1 && first?.key === '.' ? valueOf(first) : mapOf(contents);
  return { surfaceId: id, path, value };
}

const mapOf = (entries: readonly Entry[]): Json =>
  entries.reduce<Json>((map, entry) => withValueAt(map, [entry.key], valueOf(entry)), {});

const valueOf = ({ valueString, valueNumber, valueBoolean, valueMap }: Entry): Json =>
  valueString ?? valueNumber ?? valueBoolean ?? mapOf(valueMap ?? []);
