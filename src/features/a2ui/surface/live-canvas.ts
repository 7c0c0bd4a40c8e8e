/** The state of a viewer: the state of the gateway, and unsent input of the person. Pure. */
import { pointerOf, segmentsOf, valueAt, withValueAt, type Json } from './data-path.ts';
import { EMPTY_VIEW, type CanvasView, type FeedEvent, type RemoteMedia } from './canvas-feed.ts';
import { applyMessages, NO_SURFACES, surfaceOf, type Surface, type SurfaceMessage, type Surfaces } from './surface.ts';

/** What a person typed; it holds until the agent writes there. */
interface Edit {
  readonly value: Json;
  /** What the gateway held there when it was typed. */
  readonly before: Json | undefined;
}

export interface LiveCanvas {
  /** As the gateway has them. */
  readonly surfaces: Surfaces;
  /** By surface and pointer. */
  readonly edits: Readonly<Record<string, Readonly<Record<string, Edit>>>>;
  readonly view: CanvasView;
  readonly remoteMedia: RemoteMedia;
  /** False until the first snapshot, and while the connection is lost. */
  readonly connected: boolean;
}

export const NEW_CANVAS: LiveCanvas = Object.freeze({
  surfaces: NO_SURFACES,
  edits: {},
  view: EMPTY_VIEW,
  remoteMedia: 'ask',
  connected: false,
});

/** The canvas after an event of the feed. */
export function received(canvas: LiveCanvas, event: FeedEvent): LiveCanvas {
  switch (event.kind) {
    case 'snapshot': {
      const { surfaces, view, remoteMedia } = event;
      return { ...canvas, surfaces, view, remoteMedia, connected: true, edits: keptEdits(canvas.edits, surfaces) };
    }
    case 'messages':
      return {
        ...canvas,
        surfaces: applyMessages(canvas.surfaces, event.messages),
        edits: event.messages.reduce(withoutOverwritten, canvas.edits),
      };
    case 'view':
      return { ...canvas, view: event.view };
    case 'action':
      return canvas;
  }
}

/** What was typed goes where the agent has written something else meanwhile. */
function keptEdits(edits: LiveCanvas['edits'], surfaces: Surfaces): LiveCanvas['edits'] {
  return mapEdits(edits, (id, pointer, { before }) => {
    const surface = surfaceOf(surfaces, id);
    return surface !== undefined && same(valueAt(surface.data, segmentsOf(pointer)), before);
  });
}

function withoutOverwritten(edits: LiveCanvas['edits'], message: SurfaceMessage): LiveCanvas['edits'] {
  if (!Object.hasOwn(edits, message.surfaceId)) return edits;
  if (message.kind === 'delete') return mapEdits(edits, (id) => id !== message.surfaceId);
  if (message.kind !== 'data') return edits;
  const written = pointerOf(segmentsOf(message.path));
  const touches = (pointer: string): boolean =>
    written === '' || pointer === written || pointer.startsWith(`${written}/`) || written.startsWith(`${pointer}/`);
  return mapEdits(edits, (id, pointer) => id !== message.surfaceId || !touches(pointer));
}

const mapEdits = (
  edits: LiveCanvas['edits'],
  keeps: (surfaceId: string, pointer: string, edit: Edit) => boolean,
): LiveCanvas['edits'] =>
  Object.fromEntries(
    Object.entries(edits).map(([id, byPointer]) => [
      id,
      Object.fromEntries(Object.entries(byPointer).filter(([pointer, edit]) => keeps(id, pointer, edit))),
    ]),
  );

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The canvas after the person has typed. */
export function edited(canvas: LiveCanvas, surfaceId: string, pointer: string, value: Json): LiveCanvas {
  const surface = surfaceOf(canvas.surfaces, surfaceId);
  if (!surface) return canvas;
  const ours = Object.hasOwn(canvas.edits, surfaceId) ? canvas.edits[surfaceId]! : {};
  const before = Object.hasOwn(ours, pointer) ? ours[pointer]!.before : valueAt(surface.data, segmentsOf(pointer));
  return { ...canvas, edits: { ...canvas.edits, [surfaceId]: { ...ours, [pointer]: { value, before } } } };
}

/** A surface with what the person has typed. */
export function withEdits(canvas: LiveCanvas, surface: Surface): Surface {
  const ours = Object.hasOwn(canvas.edits, surface.id) ? Object.entries(canvas.edits[surface.id]!) : [];
  if (ours.length === 0) return surface;
  return {
    ...surface,
    data: ours.reduce<Json>(
      (data, [pointer, { value }]) => withValueAt(data, segmentsOf(pointer), value),
      surface.data,
    ),
  };
}
