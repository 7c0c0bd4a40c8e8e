/** Finds errors in a whole surface: missing references, cycles, deep nesting, unreachable components. */
import { referencesOf } from './references.ts';
import { componentOf, type Component, type Surface } from './surface.ts';

/** How deep components may be nested, one in the other. */
export const MAX_DEPTH = 50;

/** The kinds of faults: `unreachable` shows nothing and harms nothing, all others leave a placeholder. */
export type SurfaceFaultKind =
  | 'missing-root'
  | 'missing-component'
  | 'self-reference'
  | 'circular'
  | 'too-deep'
  | 'unreachable'
  | 'unknown-component';

export interface SurfaceFault {
  readonly kind: SurfaceFaultKind;
  readonly componentId: string;
  readonly message: string;
}

/** Every fault of a surface. Before `beginRendering` nothing can be missing yet; circles are faults at any time. */
export function surfaceFaults(
  surface: Surface,
  isKnown: (type: string) => boolean = () => true,
): readonly SurfaceFault[] {
  const all = Object.values(surface.components);
  return [
    ...all.flatMap(({ id, type }) =>
      isKnown(type)
        ? []
        : [fault('unknown-component', id, `Component '${id}' is a ${type}, which the catalogue does not have`)],
    ),
    ...all.flatMap((component) => ownFaults(component)),
    ...circles(surface),
    ...(surface.root === undefined ? [] : shownFaults(surface, surface.root)),
  ];
}

const fault = (kind: SurfaceFaultKind, componentId: string, message: string): SurfaceFault => ({
  kind,
  componentId,
  message,
});

function ownFaults(component: Component): readonly SurfaceFault[] {
  const { id } = component;
  const self = referencesOf(component).find((reference) => reference.id === id);
  return self
    ? [fault('self-reference', id, `Self-reference detected: component '${id}' is its own ${self.property}`)]
    : [];
}

/** Each circle once, by the component at which it closes. */
function circles(surface: Surface): readonly SurfaceFault[] {
  const done = new Set<string>();
  const found: SurfaceFault[] = [];
  for (const start of Object.keys(surface.components)) {
    const path: { readonly id: string; readonly rest: string[] }[] = [];
    const onPath = new Set<string>();
    const enter = (id: string): void => {
      const component = componentOf(surface, id);
      if (!component || done.has(id)) return;
      onPath.add(id);
      path.push({ id, rest: referencesOf(component).map((reference) => reference.id) });
    };
    enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        done.add(top.id);
        onPath.delete(top.id);
        path.pop();
      } else if (!onPath.has(next)) enter(next);
      else if (next !== top.id)
        found.push(fault('circular', next, `Circular reference detected: component '${next}' contains itself`));
    }
  }
  return found;
}

/** What is wrong with what the root shows, level by level. */
function shownFaults(surface: Surface, root: string): readonly SurfaceFault[] {
  if (!componentOf(surface, root))
    return [fault('missing-root', root, `Missing root component: '${root}' of surface '${surface.id}' does not exist`)];
  const seen = new Set([root]);
  const found: SurfaceFault[] = [];
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      found.push(
        fault('too-deep', level[0]!, `Global recursion limit exceeded: logical depth > ${MAX_DEPTH} at '${level[0]!}'`),
      );
      return found;
    }
    const next: string[] = [];
    for (const id of level)
      for (const reference of referencesOf(componentOf(surface, id)!)) {
        if (!componentOf(surface, reference.id))
          found.push(
            fault(
              'missing-component',
              id,
              `Component '${id}' references non-existent component '${reference.id}' in ${reference.property}`,
            ),
          );
        else if (!seen.has(reference.id)) {
          seen.add(reference.id);
          next.push(reference.id);
        }
      }
    level = next;
  }
  const hidden = Object.keys(surface.components).filter((id) => !seen.has(id));
  return [
    ...found,
    ...hidden.map((id) => fault('unreachable', id, `Component '${id}' is not reachable from '${root}'`)),
  ];
}
