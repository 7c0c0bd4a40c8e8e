/** The page of a canvas: follows the feed of the gateway, draws once a frame, and sends what people do. */
import { render } from 'lit';
import type { Json } from '../surface/data-path.ts';
import type { FeedEvent, UserAction } from '../surface/canvas-feed.ts';
import { edited, NEW_CANVAS, openActions, received, type LiveCanvas } from '../surface/live-canvas.ts';
import { actionOf, type ShownNode } from '../surface/resolve.ts';
import type { Surface } from '../surface/surface.ts';
import { drawCanvas, type Notice } from './draw-canvas.ts';
import { localKey, type Page } from './host-page.ts';

const STATUS_EVENT = 'clawdbot:a2ui-action-status';
const ERROR_EVENT = 'clawdbot:a2ui-error';
const NOTICE_MS = 4000;
const MAX_ERRORS = 50;

interface Sent {
  readonly body: string;
  readonly surfaceId: string;
  readonly nodeKey: string;
}

interface ViewerState {
  canvas: LiveCanvas;
  readonly local: Map<string, Json>;
  readonly allowed: Set<string>;
  readonly sent: Map<string, Sent>;
  readonly reported: Set<string>;
  notice: Notice | undefined;
  /** A frame is asked for. */
  due: boolean;
}

function createViewer(root: HTMLElement): { start(): void } {
  const state: ViewerState = {
    canvas: NEW_CANVAS,
    local: new Map(),
    allowed: new Set(),
    sent: new Map(),
    reported: new Set(),
    notice: undefined,
    due: false,
  };

  const page: Page = {
    get remoteMedia() {
      return state.canvas.remoteMedia;
    },
    allowedHosts: state.allowed,
    allowHost: (host) => changed(() => void state.allowed.add(host)),
    local: (key) => state.local.get(key),
    setLocal: (key, value) => changed(() => void state.local.set(key, value)),
    enter: (surfaceId, node, property, value) => changed(() => enter(surfaceId, node, property, value)),
    act: (surface, node) => void act(surface, node),
    isSending: (surfaceId, node) =>
      [...state.sent].some(
        ([id, one]) =>
          one.surfaceId === surfaceId && one.nodeKey === node.key && state.canvas.actions[id] === 'sending',
      ),
  };

  function changed(work: () => void): void {
    work();
    if (state.due) return;
    state.due = true;
    requestAnimationFrame(() => {
      state.due = false;
      const { faults, template } = drawCanvas(state.canvas, page, state.notice);
      render(template, root);
      for (const fault of faults) report(fault);
    });
  }

  function enter(surfaceId: string, node: ShownNode, property: string, value: Json): void {
    const pointer = node.binds[property];
    if (pointer !== undefined) state.canvas = edited(state.canvas, surfaceId, pointer, value);
    else state.local.set(localKey({ page, surface: { id: surfaceId } as Surface }, node, property), value);
  }

  async function act(surface: Surface, node: ShownNode): Promise<void> {
    const action = actionOf(surface, node);
    if (!action) return;
    if (root.querySelector(`[data-surface="${CSS.escape(surface.id)}"] [aria-invalid="true"]`)) {
      root.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return notify('Correct the marked fields first.', true);
    }
    const id = freshId();
    const userAction: UserAction = {
      id,
      name: action.name,
      surfaceId: surface.id,
      sourceComponentId: node.id,
      timestamp: new Date().toISOString(),
      context: action.context,
    };
    state.sent.set(id, { body: JSON.stringify({ userAction }), surfaceId: surface.id, nodeKey: node.key });
    changed(() => mark(id, 'sending'));
    await send(id);
  }

  const mark = (id: string, now: LiveCanvas['actions'][string]): void => {
    state.canvas = { ...state.canvas, actions: { ...state.canvas.actions, [id]: now } };
  };

  /** The same id as often as it takes: the gateway accepts it once. */
  async function send(id: string): Promise<void> {
    const one = state.sent.get(id);
    if (!one) return;
    let answer: Response;
    try {
      // Without a type of content it is a request that needs no question before it.
      answer = await fetch('action', { method: 'POST', body: new Blob([one.body]), credentials: 'omit' });
    } catch (error) {
      // Sent again with the next snapshot, when the connection is back.
      if (error instanceof TypeError) return;
      throw error;
    }
    const body = (await answer.json()) as {
      readonly state?: 'accepted';
      readonly error?: { readonly message?: string };
    };
    if (answer.ok && body.state !== undefined) return follow({ kind: 'action', id, state: body.state });
    tell(id, false, body.error?.message ?? `HTTP ${answer.status}`);
  }

  function follow(event: Extract<FeedEvent, { readonly kind: 'action' }>): void {
    if (!state.sent.has(event.id)) return;
    if (event.state === 'accepted')
      return notify('Sent. The agent is working on it.', false, () => mark(event.id, 'accepted'));
    tell(event.id, event.state === 'answered', event.state === 'answered' ? undefined : 'The agent could not answer.');
  }

  function tell(id: string, ok: boolean, error?: string): void {
    state.sent.delete(id);
    document.dispatchEvent(
      new CustomEvent(STATUS_EVENT, { detail: { id, ok, ...(error !== undefined && { error }) } }),
    );
    notify(ok ? 'Done.' : (error ?? 'That did not work.'), !ok, () => mark(id, ok ? 'answered' : 'failed'));
  }

  function notify(text: string, bad: boolean, also: () => void = () => undefined): void {
    const notice = { text, bad };
    changed(() => {
      also();
      state.notice = notice;
    });
    setTimeout(() => state.notice === notice && changed(() => void (state.notice = undefined)), NOTICE_MS);
  }

  function report(fault: { readonly surfaceId: string; readonly componentId: string; readonly message: string }): void {
    const key = JSON.stringify(fault);
    if (state.reported.has(key) || state.reported.size >= MAX_ERRORS) return;
    state.reported.add(key);
    document.dispatchEvent(new CustomEvent(ERROR_EVENT, { detail: { error: fault } }));
    void fetch('action', {
      method: 'POST',
      body: new Blob([JSON.stringify({ error: fault })]),
      credentials: 'omit',
    }).catch(() => undefined);
  }

  return {
    start() {
      const feed = new EventSource('events');
      feed.addEventListener('message', ({ data }) => {
        const event = JSON.parse(String(data)) as FeedEvent;
        changed(() => void (state.canvas = received(state.canvas, event)));
        if (event.kind === 'action') follow(event);
        if (event.kind === 'snapshot') for (const id of openActions(state.canvas)) void send(id);
      });
      feed.addEventListener('error', () => changed(() => void (state.canvas = { ...state.canvas, connected: false })));
      changed(() => undefined);
    },
  };
}

/** Without `randomUUID`, which pages over plain HTTP do not have. */
const freshId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const theme = /^#(dark|light)$/.exec(location.hash)?.[1];
if (theme !== undefined) document.documentElement.style.colorScheme = theme;
createViewer(document.querySelector<HTMLElement>('#canvas')!).start();
