/** Resolves a surface to a tree of components: paths become values, and templates become lists. */
import { present } from '../../../core/present.ts';
import { containerOf, pointerOf, segmentsOf, valueAt, type Json } from './data-path.ts';
import { isObject } from './references.ts';
import { MAX_DEPTH } from './surface-faults.ts';
import { componentOf, type Surface } from './surface.ts';

/** More is not shown: a template within a template grows fast. */
const MAX_NODES = 5000;
const MAX_ENTRIES = 1000;

/** One component as it is shown; a template shows the same component several times. */
export interface ShownNode {
  /** Distinct within the surface and the same at the next time. */
  readonly key: string;
  readonly id: string;
  /** Its name in the catalogue; `placeholder` where nothing can be shown. */
  readonly type: string;
  readonly weight?: number;
  /** Values, not paths. `fault` of a placeholder: why it is one. */
  readonly props: Readonly<Record<string, unknown>>;
  /** Where inputs write to, by property: absolute pointers. */
  readonly binds: Readonly<Record<string, string>>;
  readonly children: readonly ShownNode[];
  /** Single children by their property, and the contents of tabs by their index. */
  readonly slots: Readonly<Record<string, ShownNode>>;
  /** What relative paths are relative to: an absolute pointer. */
  readonly context: string;
}

export interface Shown {
  /** Undefined: nothing is shown yet. */
  readonly root: ShownNode | undefined;
  /** What could not be shown, and why. */
  readonly faults: readonly { readonly componentId: string; readonly message: string }[];
}

interface Resolving {
  readonly surface: Surface;
  readonly defaults: Json;
  readonly isKnown: (type: string) => boolean;
  readonly faults: { componentId: string; message: string }[];
  count: number;
}
/** Where in the tree something is resolved. */
interface At {
  readonly context: string;
  readonly suffix: string;
  readonly path: readonly string[];
}

/** Always ends: circles, depth and size are bounded. */
export function resolveSurface(surface: Surface, isKnown: (type: string) => boolean): Shown {
  const run: Resolving = { surface, defaults: defaultsOf(surface), isKnown, faults: [], count: 0 };
  const root =
    surface.root === undefined ? undefined : nodeOf(surface.root, { context: '', suffix: '', path: [] }, run);
  return { root, faults: run.faults };
}

function nodeOf(id: string, at: At, run: Resolving): ShownNode {
  const component = componentOf(run.surface, id);
  if (!component) return placeholder(id, at, run, `component "${id}" does not exist`);
  if (at.path.includes(id)) return placeholder(id, at, run, `component "${id}" contains itself`);
  if (at.path.length > MAX_DEPTH) return placeholder(id, at, run, `more than ${MAX_DEPTH} components are nested here`);
  if (++run.count > MAX_NODES) return placeholder(id, at, run, `more than ${MAX_NODES} components`);
  if (!run.isKnown(component.type)) return placeholder(id, at, run, `unknown component "${component.type}"`);
  const inner: At = { ...at, path: [...at.path, id] };
  const { props, binds } = values(component.props, at.context, run);
  return {
    key: `${id}${at.suffix}`,
    id,
    type: component.type,
    ...present({ weight: component.weight }),
    props,
    binds,
    children: childrenOf(component.props['children'], inner, run),
    slots: slotsOf(component.props, inner, run),
    context: at.context,
  };
}

function placeholder(id: string, { context, suffix }: At, run: Resolving, message: string): ShownNode {
  // One is enough to tell: a circle in a list of a thousand is the same fault a thousand times.
  if (run.faults.length < 100) run.faults.push({ componentId: id, message });
  const [type, props] = ['placeholder', { fault: message }];
  return { key: `${id}${suffix}!`, id, type, props, binds: {}, children: [], slots: {}, context };
}

const SLOTS = ['child', 'entryPointChild', 'contentChild'] as const;
const TABS = 'tabItems';
/** Not values: ids, and what is resolved when somebody acts. */
const APART: ReadonlySet<string> = new Set([...SLOTS, 'children', 'action']);

function slotsOf(
  props: Readonly<Record<string, unknown>>,
  at: At,
  run: Resolving,
): Readonly<Record<string, ShownNode>> {
  const named = SLOTS.map((name) => [name, props[name]] as const);
  const tabs = listOf(props[TABS]).map(
    (tab, index) => [String(index), isObject(tab) ? tab['child'] : undefined] as const,
  );
  return Object.fromEntries(
    [...named, ...tabs].flatMap(([name, id]) => (typeof id === 'string' ? [[name, nodeOf(id, at, run)]] : [])),
  );
}

function childrenOf(children: unknown, at: At, run: Resolving): readonly ShownNode[] {
  if (!isObject(children)) return [];
  const { explicitList, template } = children;
  const ids = listOf(explicitList).filter((id) => typeof id === 'string');
  const listed = ids.map((id, index) => {
    const repeated = ids.indexOf(id) < index ? `${at.suffix}#${index}` : at.suffix;
    return nodeOf(id, { ...at, suffix: repeated }, run);
  });
  return isObject(template) ? [...listed, ...repeated(template, at, run)] : listed;
}

function repeated(template: Readonly<Record<string, unknown>>, at: At, run: Resolving): readonly ShownNode[] {
  const { componentId, dataBinding } = template;
  if (typeof componentId !== 'string' || typeof dataBinding !== 'string') return [];
  const place = segmentsOf(dataBinding, at.context);
  const list = containerOf(valueIn(place, run));
  if (typeof list !== 'object' || list === null) return [];
  const keys = Object.keys(list);
  if (keys.length > MAX_ENTRIES)
    run.faults.push({ componentId, message: `only ${MAX_ENTRIES} of ${keys.length} entries are shown` });
  return keys.slice(0, MAX_ENTRIES).map((key) => {
    const context = pointerOf([...place, key]);
    return nodeOf(componentId, { ...at, context, suffix: `${at.suffix}:${key}` }, run);
  });
}

function values(props: Readonly<Record<string, unknown>>, context: string, run: Resolving) {
  const binds: Record<string, string> = {};
  const resolved = Object.entries(props).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (APART.has(name)) return [];
    if (isObject(value) && typeof value['path'] === 'string')
      binds[name] = pointerOf(segmentsOf(value['path'], context));
    return [[name, resolveValue(value, context, run)]];
  });
  return { props: Object.fromEntries(resolved), binds };
}

/** Lists of objects are options and tabs, whose own values are resolved. */
function resolveValue(value: unknown, context: string, run: Pick<Resolving, 'surface' | 'defaults'>): unknown {
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? resolveParts(one, context, run) : one));
  if (!isObject(value)) return value;
  const literal = literalOf(value);
  const path = value['path'];
  return typeof path === 'string' ? (valueIn(segmentsOf(path, context), run) ?? literal) : literal;
}

const resolveParts = (
  parts: Readonly<Record<string, unknown>>,
  context: string,
  run: Pick<Resolving, 'surface' | 'defaults'>,
) => Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, resolveValue(value, context, run)]));

const LITERALS = ['literalString', 'literalNumber', 'literalBoolean', 'literalArray'] as const;

const literalOf = (value: Readonly<Record<string, unknown>>): Json | undefined =>
  LITERALS.map((name) => value[name] as Json | undefined).find((literal) => literal !== undefined);

const valueIn = (
  segments: readonly string[],
  { surface, defaults }: Pick<Resolving, 'surface' | 'defaults'>,
): Json | undefined => valueAt(surface.data, segments) ?? valueAt(defaults, segments);

/** A literal beside a path is what the path holds until something is written there, for every component. */
function defaultsOf(surface: Surface): Json {
  const found: Record<string, Json> = {};
  for (const { props } of Object.values(surface.components))
    for (const value of Object.values(props)) {
      if (!isObject(value) || typeof value['path'] !== 'string' || !value['path'].startsWith('/')) continue;
      const literal = literalOf(value);
      if (literal !== undefined) found[value['path']] ??= literal;
    }
  return nested(found);
}

function nested(found: Readonly<Record<string, Json>>): Json {
  const tree: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [path, literal] of Object.entries(found)) {
    const segments = segmentsOf(path);
    let inner = tree;
    for (const segment of segments.slice(0, -1))
      inner = (isObject(inner[segment]) ? inner[segment] : (inner[segment] = Object.create(null))) as Record<
        string,
        unknown
      >;
    const last = segments.at(-1);
    if (last !== undefined) inner[last] ??= literal;
  }
  return tree as Json;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What a person does with a component, for the agent. */
export interface ShownAction {
  readonly name: string;
  /** Values, not paths, as they are at this moment. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** The action of a component that is shown, with its context resolved; undefined: it has none. */
export function actionOf(surface: Surface, node: Pick<ShownNode, 'id' | 'context'>): ShownAction | undefined {
  const action = componentOf(surface, node.id)?.props['action'];
  if (!isObject(action) || typeof action['name'] !== 'string') return undefined;
  const run = { surface, defaults: defaultsOf(surface) };
  const entries = listOf(action['context']).flatMap((entry): (readonly [string, unknown])[] =>
    isObject(entry) && typeof entry['key'] === 'string'
      ? [[entry['key'], resolveValue(entry['value'], node.context, run) ?? null]]
      : [],
  );
  return { name: action['name'], context: Object.fromEntries(entries) };
}
