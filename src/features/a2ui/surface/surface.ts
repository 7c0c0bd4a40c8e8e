/** The state of A2UI surfaces, and how messages change it. Pure; used by the gateway and by each viewer. */
import { present } from '../../../core/present.ts';
import { segmentsOf, withValueAt, type Json } from './data-path.ts';

/** The version of A2UI a surface was written in; messages of later ones are refused. */
export type A2uiVersion = '0.8';

/** One component as a message gave it; its properties are resolved when it is shown. */
export interface Component {
  readonly id: string;
  /** Its name in the catalogue: `Text`. */
  readonly type: string;
  /** Share of the free room in a row or column. */
  readonly weight?: number;
  readonly props: Readonly<Record<string, unknown>>;
}

/** What a surface is now. It can be written as JSON and read again. */
export interface Surface {
  readonly id: string;
  readonly version: A2uiVersion;
  /** In the order in which they came. */
  readonly components: Readonly<Record<string, Component>>;
  readonly data: Json;
  /** Id of the first component; absent: nothing is shown yet. */
  readonly root?: string;
  readonly catalogId?: string;
  readonly styles: Readonly<Record<string, unknown>>;
}

/** One message, in whatever version it was written. */
export type SurfaceMessage =
  | {
      readonly kind: 'components';
      readonly surfaceId: string;
      readonly version: A2uiVersion;
      readonly components: readonly Component[];
    }
  | {
      readonly kind: 'data';
      readonly surfaceId: string;
      readonly version: A2uiVersion;
      /** Pointer; empty: the whole model. */
      readonly path: string;
      /** Absent: what is there is removed. */
      readonly value?: Json;
    }
  | {
      readonly kind: 'begin';
      readonly surfaceId: string;
      readonly version: A2uiVersion;
      readonly root: string;
      readonly catalogId?: string;
      readonly styles?: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'delete'; readonly surfaceId: string; readonly version: A2uiVersion };

/** All surfaces of one conversation, by their ids. */
export type Surfaces = Readonly<Record<string, Surface>>;

export const NO_SURFACES: Surfaces = Object.freeze({});

/** The surfaces after these messages, in order. */
export const applyMessages = (surfaces: Surfaces, messages: readonly SurfaceMessage[]): Surfaces =>
  messages.reduce(applyMessage, surfaces);

/** The surfaces after this message. Nothing given is changed, and what did not change is the same object. */
export function applyMessage(surfaces: Surfaces, message: SurfaceMessage): Surfaces {
  const { surfaceId } = message;
  if (message.kind === 'delete') {
    const { [surfaceId]: _deleted, ...others } = surfaces;
    return others;
  }
  const before = surfaceOf(surfaces, surfaceId) ?? emptySurface(surfaceId, message.version);
  return { ...surfaces, [surfaceId]: changed(before, message) };
}

/** Own keys only: an id may be spelled like something every object has. */
export const surfaceOf = (surfaces: Surfaces, id: string): Surface | undefined =>
  Object.hasOwn(surfaces, id) ? surfaces[id] : undefined;

/** Own keys only, as above. */
export const componentOf = ({ components }: Pick<Surface, 'components'>, id: string): Component | undefined =>
  Object.hasOwn(components, id) ? components[id] : undefined;

const emptySurface = (id: string, version: A2uiVersion): Surface => ({
  id,
  version,
  components: {},
  data: {},
  styles: {},
});

function changed(surface: Surface, message: Exclude<SurfaceMessage, { readonly kind: 'delete' }>): Surface {
  switch (message.kind) {
    case 'components':
      return { ...surface, components: { ...surface.components, ...byId(message.components) } };
    case 'data':
      return { ...surface, data: withValueAt(surface.data, segmentsOf(message.path), message.value) };
    case 'begin': {
      const { root, catalogId, styles = {}, version } = message;
      return {
        ...surface,
        version,
        root,
        styles,
        ...present({ catalogId }),
      };
    }
  }
}

/** `fromEntries` defines keys of its own, whatever they are called. */
const byId = (components: readonly Component[]): Readonly<Record<string, Component>> =>
  Object.fromEntries(components.map((component) => [component.id, component]));
