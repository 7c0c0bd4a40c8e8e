/** Creates the canvases of a gateway: one per session, stored in the journal, with any number of viewers. */
import { AppError } from '../../core/errors.ts';
import { randomToken } from '../../platform/ids.ts';
import type { CanvasEntry, CanvasLink, CanvasRows, CanvasState } from './canvas-tables.ts';
import { EMPTY_VIEW, type CanvasView } from './surface/canvas-feed.ts';
import { surfaceFaults } from './surface/surface-faults.ts';
import { applyMessages, NO_SURFACES, surfaceOf, type Surface, type SurfaceMessage } from './surface/surface.ts';

const MAX_SURFACES = 50;
const MAX_COMPONENTS = 5000;
/** Characters of JSON; one surface with its data. */
const MAX_SURFACE_CHARS = 1024 * 1024;
/** Canvases nobody looks at are read from the journal again. */
const MAX_HELD = 20;
const MAX_WARNINGS = 20;

/** A change as viewers hear of it. */
export type CanvasChange =
  | { readonly kind: 'messages'; readonly messages: readonly SurfaceMessage[] }
  | { readonly kind: 'view'; readonly view: CanvasView }
  /** Read the state anew. */
  | { readonly kind: 'state' };

export interface Pushed {
  readonly messages: number;
  /** Ids of the surfaces that were changed. */
  readonly surfaces: readonly string[];
  /** What will show as a placeholder, or not at all. */
  readonly warnings: readonly string[];
}

export interface CanvasesDeps {
  readonly rows: CanvasRows;
  /** The surfaces of a session are others than before. */
  changed(sessionKey: string): void;
}

export interface Canvases {
  state(sessionKey: string): CanvasState;
  list(limit: number): readonly CanvasEntry[];
  /** Resolves when it outlasts the process. Too much: `too_large`, and nothing is changed. */
  push(sessionKey: string, messages: readonly SurfaceMessage[]): Promise<Pushed>;
  /** Deletes one surface, or all of them; answers which. */
  reset(sessionKey: string, surfaceId?: string): Promise<readonly string[]>;
  show(sessionKey: string, view: CanvasView): Promise<void>;
  /** The session is deleted: its surfaces and its links go, and open pages show nothing. */
  forget(sessionKey: string): Promise<void>;
  /** Returns how to stop. */
  watch(sessionKey: string, listener: (change: CanvasChange) => void): () => void;
  viewers(sessionKey: string): number;
  /** Pages that show any canvas now. */
  watched(): number;
  link(of: { readonly sessionKey: string; readonly surfaceId?: string }, renew?: boolean): Promise<CanvasLink>;
  findLink(token: string): CanvasLink | undefined;
}

const EMPTY_CANVAS: CanvasState = Object.freeze({ surfaces: NO_SURFACES, view: EMPTY_VIEW });

interface Held {
  state: CanvasState;
  /** As it is in the journal. */
  saved: CanvasState;
  readonly listeners: Set<(change: CanvasChange) => void>;
}

/** Those in use stay in memory; of the others the last few. */
function holdCanvases(rows: Pick<CanvasRows, 'read'>) {
  const held = new Map<string, Held>();
  const hold = (sessionKey: string): Held => {
    const known = held.get(sessionKey);
    if (known) return known;
    const state = rows.read(sessionKey);
    const fresh: Held = { state, saved: state, listeners: new Set() };
    held.set(sessionKey, fresh);
    for (const [key, one] of held) {
      if (held.size <= MAX_HELD) break;
      if (key !== sessionKey && one.listeners.size === 0 && one.saved === one.state) held.delete(key);
    }
    return fresh;
  };
  return {
    hold,
    peek: (sessionKey: string) => held.get(sessionKey),
    watched: () => [...held.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),
  };
}

/** Builds the canvases; nothing is read before it is asked for. */
export function createCanvases({ rows, changed }: CanvasesDeps): Canvases {
  const { hold, peek, watched } = holdCanvases(rows);
  const announce = ({ listeners }: Held, change: CanvasChange): void =>
    listeners.forEach((listener) => listener(change));

  /** Several changes that wait for the same commit are written once, as they are then. */
  async function keep(sessionKey: string, one: Held): Promise<void> {
    try {
      await rows.save(sessionKey, () => {
        const [before, after] = [one.saved, one.state];
        one.saved = after;
        return { before, after };
      });
    } catch (error) {
      one.state = one.saved = rows.read(sessionKey);
      announce(one, { kind: 'state' });
      throw error;
    }
  }

  async function apply(sessionKey: string, messages: readonly SurfaceMessage[]): Promise<void> {
    const one = hold(sessionKey);
    const before = one.state.surfaces;
    const surfaces = applyMessages(before, messages);
    mustFit(Object.values(surfaces).filter((surface) => surfaceOf(before, surface.id) !== surface));
    if (Object.keys(surfaces).length > MAX_SURFACES)
      throw new AppError('too_large', `A canvas holds at most ${MAX_SURFACES} surfaces; delete some first.`);
    one.state = { ...one.state, surfaces };
    announce(one, { kind: 'messages', messages });
    await keep(sessionKey, one);
    if (shownIds(before) !== shownIds(surfaces)) changed(sessionKey);
  }

  return {
    state: (sessionKey) => hold(sessionKey).state,
    list: (limit) => rows.list(limit),
    async push(sessionKey, messages) {
      await apply(sessionKey, messages);
      const ids = [...new Set(messages.map(({ surfaceId }) => surfaceId))];
      const warnings = await warningsOf(ids, hold(sessionKey).state.surfaces);
      return { messages: messages.length, surfaces: ids, warnings };
    },
    async reset(sessionKey, surfaceId) {
      const { surfaces } = hold(sessionKey).state;
      const ids = Object.keys(surfaceId === undefined ? surfaces : { ...pick(surfaces, surfaceId) });
      await apply(
        sessionKey,
        ids.map((id) => ({ kind: 'delete', version: '0.8', surfaceId: id })),
      );
      return ids;
    },
    async show(sessionKey, view) {
      const one = hold(sessionKey);
      one.state = { ...one.state, view };
      announce(one, { kind: 'view', view });
      await keep(sessionKey, one);
    },
    async forget(sessionKey) {
      const one = hold(sessionKey);
      one.state = one.saved = EMPTY_CANVAS;
      announce(one, { kind: 'state' });
      await rows.forget(sessionKey);
      changed(sessionKey);
    },
    watch(sessionKey, listener) {
      const { listeners } = hold(sessionKey);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    viewers: (sessionKey) => peek(sessionKey)?.listeners.size ?? 0,
    watched,
    link: (of, renew = false) => rows.link({ token: randomToken(), ...of }, renew),
    findLink: (token) => rows.findLink(token),
  };
}

/** What of these surfaces shows as a placeholder, or not at all. */
async function warningsOf(ids: readonly string[], surfaces: CanvasState['surfaces']): Promise<readonly string[]> {
  const { isStandard } = await import('./check/catalog-0-8.ts');
  const faults = ids.flatMap((id) => {
    const surface = surfaceOf(surfaces, id);
    return surface ? [...surfaceFaults(surface, isStandard).map(({ message }) => message), ...notBegun(surface)] : [];
  });
  return faults.slice(0, MAX_WARNINGS);
}

const pick = (surfaces: CanvasState['surfaces'], id: string): CanvasState['surfaces'] => {
  const surface = surfaceOf(surfaces, id);
  return surface ? { [id]: surface } : NO_SURFACES;
};

const shownIds = (surfaces: CanvasState['surfaces']): string =>
  JSON.stringify(Object.values(surfaces).map(({ id, root }) => [id, root]));

const notBegun = ({ id, root }: Surface): readonly string[] =>
  root === undefined ? [`Surface '${id}' is not shown yet: send beginRendering`] : [];

function mustFit(surfaces: readonly Surface[]): void {
  for (const { id, components, data } of surfaces) {
    const count = Object.keys(components).length;
    if (count > MAX_COMPONENTS)
      throw new AppError(
        'too_large',
        `Surface "${id}" would have ${count} components; ${MAX_COMPONENTS} are the limit.`,
      );
    if (sizeOf(components) + sizeOf(data) > MAX_SURFACE_CHARS)
      throw new AppError('too_large', `Surface "${id}" would be larger than ${MAX_SURFACE_CHARS / 1024 / 1024} MiB.`);
  }
}

/** Characters of the texts in it, roughly; measured without making a copy. */
function sizeOf(value: unknown): number {
  let size = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && size <= MAX_SURFACE_CHARS) {
    const next = open.pop();
    if (typeof next === 'string') size += next.length;
    else if (typeof next === 'object' && next !== null)
      for (const [key, inner] of Object.entries(next)) {
        size += key.length + 4;
        open.push(inner);
      }
  }
  return size;
}
