/** Event types that the gateway sends to viewers: first the full state, then changes. */
import type { SurfaceMessage, Surfaces } from './surface.ts';

/** What a canvas shows as a whole. */
export interface CanvasView {
  /** False: the agent has hidden it. */
  readonly visible: boolean;
  /** A page in place of the surfaces: `https://…`, or a path of the canvas host. */
  readonly url?: string;
}

export const EMPTY_VIEW: CanvasView = Object.freeze({ visible: true });

/** How images and videos of other hosts are treated: a person is asked per host, all are loaded, or none. */
export type RemoteMedia = 'ask' | 'allow' | 'block';

/** One event of the feed. */
export type FeedEvent =
  | {
      readonly kind: 'snapshot';
      readonly surfaces: Surfaces;
      readonly view: CanvasView;
      readonly remoteMedia: RemoteMedia;
      /** Only this surface is shown. */
      readonly only?: string;
    }
  | { readonly kind: 'messages'; readonly messages: readonly SurfaceMessage[] }
  | { readonly kind: 'view'; readonly view: CanvasView }
  /** What became of an action of this page. */
  | { readonly kind: 'action'; readonly id: string; readonly state: ActionState };

/** `accepted`: the agent has it; then how its turn ended. */
export type ActionState = 'accepted' | 'answered' | 'declined' | 'failed';

/** An action as a page sends it. */
export interface UserAction {
  /** Made by the page; the same action sent again has the same id. */
  readonly id: string;
  readonly name: string;
  readonly surfaceId: string;
  readonly sourceComponentId: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly context: Readonly<Record<string, unknown>>;
}
