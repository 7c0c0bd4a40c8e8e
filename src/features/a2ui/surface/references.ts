/** Finds the components that a component refers to, by the properties that contain ids in each catalog version. */
import type { Component } from './surface.ts';

/** A reference, and whether it is repeated for each entry of a list. */
export interface Reference {
  readonly id: string;
  readonly property: string;
}

const SINGLE = ['child', 'entryPointChild', 'contentChild', 'trigger', 'content'] as const;
const LISTS = ['tabItems', 'tabs'] as const;

/** In the order of the properties; what is no id is left out. */
export function referencesOf({ props }: Pick<Component, 'props'>): readonly Reference[] {
  const single = SINGLE.map((property) => [property, props[property]] as const);
  const listed = LISTS.flatMap((property) =>
    entriesOf(props[property]).map((item) => [property, childOf(item)] as const),
  );
  const children = childrenOf(props['children']).map((id) => ['children', id] as const);
  return [...single, ...children, ...listed].flatMap(([property, id]) =>
    typeof id === 'string' ? [{ id, property }] : [],
  );
}

function childrenOf(children: unknown): readonly unknown[] {
  if (Array.isArray(children)) return children;
  if (!isObject(children)) return [];
  const { explicitList, template, componentId } = children;
  return [...entriesOf(explicitList), ...(isObject(template) ? [template['componentId']] : []), componentId];
}

const childOf = (item: unknown): unknown => (isObject(item) ? item['child'] : undefined);
const entriesOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** An object that is no list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
