/** What the renderer of a surface needs from the page around it. */
import type { Json } from '../surface/data-path.ts';
import type { RemoteMedia } from '../surface/canvas-feed.ts';
import type { ShownNode } from '../surface/resolve.ts';
import type { Surface } from '../surface/surface.ts';

export interface Page {
  readonly remoteMedia: RemoteMedia;
  /** Hosts a person allowed. */
  readonly allowedHosts: ReadonlySet<string>;
  allowHost(host: string): void;
  /** Values of this page alone: which tab is open, which dialog, inputs that are bound to nothing. */
  local(key: string): Json | undefined;
  setLocal(key: string, value: Json): void;
  /** What a person enters where the component is bound, or else on this page alone. */
  enter(surface: Surface, node: ShownNode, property: string, value: Json): void;
  act(surface: Surface, node: ShownNode): void;
  /** An action of this component is on its way. */
  isSending(surface: Surface, node: ShownNode): boolean;
}

/** One surface as it is drawn. */
export interface Drawing {
  readonly page: Page;
  /** With what was entered. */
  readonly surface: Surface;
}

/** Where values of one component of this page are kept. */
export const localKey = ({ surface }: Pick<Drawing, 'surface'>, node: ShownNode, property: string): string =>
  `${surface.id}\n${node.key}\n${property}`;

/** What an input shows: what was entered on this page, if it is bound to nothing. */
export const valueOf = (drawing: Drawing, node: ShownNode, property: string): unknown =>
  node.binds[property] === undefined
    ? (drawing.page.local(localKey(drawing, node, property)) ?? node.props[property])
    : node.props[property];
