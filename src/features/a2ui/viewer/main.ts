/** The canvas page: reads the feed of the gateway, renders once per frame, and sends actions. */
import { render } from 'lit';
import type { Json } from '../surface/data-path.ts';
import type { FeedEvent } from '../surface/canvas-feed.ts';
import { edited, NEW_CANVAS, received, type LiveCanvas } from '../surface/live-canvas.ts';
import { actionOf, type ShownNode } from '../surface/resolve.ts';
import type { Surface } from '../surface/surface.ts';
import { drawCanvas, type Notice } from './draw-canvas.ts';
import { localKey, type Page } from './host-page.ts';
import { createSender, type Sender } from './sender.ts';

const NOTICE_MS = 4000;

interface ViewerState {
  canvas: LiveCanvas;
  readonly local: Map<string, Json>;
  readonly allowed: Set<string>;
  notice: Notice | undefined;
  /** A frame is asked for. */
  due: boolean;
}
/** Changes the state, and draws it with the next frame. */
type Change = (work: () => void) => void;

function startViewer(root: HTMLElement): void {
  const state: ViewerState = {
    canvas: NEW_CANVAS,
    local: new Map(),
    allowed: new Set(),
    notice: undefined,
    due: false,
  };
  const frame = { draw: (): void => undefined };
  const change: Change = (work) => {
    work();
    if (state.due) return;
    state.due = true;
    requestAnimationFrame(() => {
      state.due = false;
      frame.draw();
    });
  };
  const notify = (text: string, bad: boolean): void => {
    const notice = { text, bad };
    change(() => void (state.notice = notice));
    setTimeout(() => state.notice === notice && change(() => void (state.notice = undefined)), NOTICE_MS);
  };
  const sender = createSender(({ text, bad = false }) =>
    text === undefined ? change(() => undefined) : notify(text, bad),
  );
  const page = pageOf({ state, change, sender, notify, root });
  frame.draw = () => {
    const { faults, template } = drawCanvas(state.canvas, page, state.notice);
    render(template, root);
    root.dataset['connected'] = String(state.canvas.connected);
    // A page of the Control UI around it gives it the room; it has no other way to know.
    if (parent !== window) parent.postMessage({ canvasHeight: root.scrollHeight }, '*');
    const dialog = root.querySelector<HTMLElement>('.dialog');
    if (dialog && !dialog.contains(document.activeElement)) dialog.focus();
    faults.forEach((fault) => sender.report(fault));
  };
  followFeed(state, change, sender);
}

interface PageParts {
  readonly state: ViewerState;
  readonly change: Change;
  readonly sender: Sender;
  readonly root: HTMLElement;
  notify(text: string, bad: boolean): void;
}

function pageOf({ state, change, sender, notify, root }: PageParts): Page {
  function act(surface: Surface, node: ShownNode): void {
    const action = actionOf(surface, node);
    if (!action) return;
    const wrong = root.querySelector<HTMLElement>(`[data-surface="${CSS.escape(surface.id)}"] [aria-invalid="true"]`);
    wrong?.focus();
    if (wrong) return notify('Correct the marked fields first.', true);
    sender.send({ ...action, surfaceId: surface.id, sourceComponentId: node.id }, node.key);
  }
  const page: Page = {
    get remoteMedia() {
      return state.canvas.remoteMedia;
    },
    allowedHosts: state.allowed,
    allowHost: (host) => change(() => void state.allowed.add(host)),
    local: (key) => state.local.get(key),
    setLocal: (key, value) => change(() => void state.local.set(key, value)),
    enter: (surface, node, property, value) =>
      change(() => {
        const pointer = node.binds[property];
        if (pointer !== undefined) state.canvas = edited(state.canvas, surface.id, pointer, value);
        else state.local.set(localKey({ surface }, node, property), value);
      }),
    act,
    isSending: (surface, node) => sender.isSending(surface.id, node.key),
  };
  return page;
}

function followFeed(state: ViewerState, change: Change, sender: Sender): void {
  const feed = new EventSource('events');
  feed.addEventListener('message', ({ data }) => {
    const event = JSON.parse(String(data)) as FeedEvent;
    if (event.kind === 'action') return sender.outcome(event);
    change(() => void (state.canvas = received(state.canvas, event)));
    if (event.kind === 'snapshot') sender.resend();
  });
  feed.addEventListener('error', () => change(() => void (state.canvas = { ...state.canvas, connected: false })));
  change(() => undefined);
}

const theme = /^#(dark|light)$/.exec(location.hash)?.[1];
if (theme !== undefined) document.documentElement.style.colorScheme = theme;
startViewer(document.querySelector<HTMLElement>('#canvas')!);
