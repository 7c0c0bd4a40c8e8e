/** Reads the settings that a form can change from the schema and its hints. Pure. */

export interface Field {
  readonly path: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice';
  readonly choices: readonly string[];
  readonly default?: unknown;
}

interface Node {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
}
interface Hint {
  readonly label?: string;
  readonly help?: string;
  readonly group?: string;
  readonly sensitive?: boolean;
}
export type Change = string | number | boolean | null;

/** Settings with one plain value; `meta`, secrets, lists and maps are edited in the file. */
export function fieldsOf(schema: unknown, hints: Readonly<Record<string, Hint>>): readonly Field[] {
  return Object.entries(hints).flatMap(([path, { label, help = '', group = '', sensitive }]): readonly Field[] => {
    if (sensitive || path.includes('*') || path.startsWith('meta.')) return [];
    const node = path.split('.').reduce<Node | undefined>((at, key) => at?.properties?.[key], schema as Node);
    const type = typeOf(node);
    if (!node || !type) return [];
    const choices = (node.enum ?? []).map(String);
    const defaults = node.default === undefined ? {} : { default: node.default };
    return [{ path, label: label ?? path, help, group: group || path.split('.')[0]!, type, choices, ...defaults }];
  });
}

function typeOf(node: Node | undefined): Field['type'] | undefined {
  if (!node) return undefined;
  if (node.enum) return node.enum.every((one) => typeof one === 'string') ? 'choice' : undefined;
  if (node.type === 'string') return 'text';
  return node.type === 'boolean' || node.type === 'number' || node.type === 'integer' ? node.type : undefined;
}

/** Whether every word occurs in the path, the label or the help. */
export function findFields(fields: readonly Field[], query: string): readonly Field[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return fields.filter(({ path, label, help }) => {
    const text = `${path} ${label} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export const valueAt = (config: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key] : undefined),
      config,
    );

/** A merge patch of the changes; null resets a setting to its default. */
export function patchOf(changes: ReadonlyMap<string, Change>): object {
  const patch: Record<string, unknown> = {};
  for (const [path, value] of changes) {
    const keys = path.split('.');
    const last = keys.pop()!;
    const place = keys.reduce<Record<string, unknown>>((at, key) => (at[key] ??= {}) as Record<string, unknown>, patch);
    place[last] = value;
  }
  return patch;
}

/** The input converted to the type of the setting; undefined: not a number. */
export function readTyped(field: Pick<Field, 'type'>, typed: string): Change | undefined {
  if (typed.trim() === '') return null;
  if (field.type === 'text' || field.type === 'choice') return typed;
  if (field.type === 'boolean') return typed === 'true';
  const number = Number(typed);
  return Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number)) ? number : undefined;
}
