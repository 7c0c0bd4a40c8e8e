/** Tracks viewers and control of tabs: one tab per connection, one controlling person per tab. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { ClientLink } from '../../../host/clients.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { whenOver } from '../../../platform/settled.ts';
import { PAGE, pageError } from '../web-page/errors.ts';
import type { ActedNote } from '../driver/tab-live.ts';
import type { Tab } from '../driver/tab.ts';
import { dispatch, type PersonInput } from './person-input.ts';
import { startScreencast, type Frame, type Screencast } from './screencast.ts';

/** The names of the events for pages. */
export const FRAME = 'browser.frame';
export const ACTED = 'browser.acted';

/** The initial state that a new viewer receives. */
export interface WatchStart {
  readonly targetId: string;
  readonly control: Control;
  readonly acted?: ActedNote;
}
export type Control = 'agent' | 'you' | 'somebody';

export interface Viewers {
  /** Replaces the tab that this connection viewed before. */
  watch(link: ClientLink, tab: Tab): WatchStart;
  /** Ends viewing of this tab, unless the connection views another one by now. */
  unwatch(link: ClientLink, targetId?: string): void;
  /** Rejects with `conflict` if another person is in control. */
  take(link: ClientLink, tab: Tab): void;
  release(link: ClientLink, tab: Tab): void;
  /** Rejects with `conflict` if this connection is not in control. */
  input(link: ClientLink, tab: Tab, inputs: readonly PersonInput[]): Promise<void>;
  controlOf(link: ClientLink | undefined, tab: Tab): Control;
  /** The connection ended: removes all its state. */
  left(link: ClientLink): void;
  close(): void;
}

export interface ViewersDeps {
  readonly clock: Clock;
  /** Called when the state of a tab changes. */
  changed(): void;
}

/** Above this number of unsent bytes a page gets no more pictures. */
const BEHIND = 1024 * 1024;
/** Milliseconds without input after which control returns to the agent. */
const IDLE_MS = 10 * 60_000;

interface Watched {
  readonly tab: Tab;
  readonly cast: Screencast;
  readonly links: Set<ClientLink>;
}
interface Held {
  readonly link: ClientLink;
  readonly tab: Tab;
  timer: Timer;
  /** Processes input in order. */
  queue: Promise<void>;
}

export function createViewers({ clock, changed }: ViewersDeps): Viewers {
  const watching = createWatching(clock);
  const controls = createControls({ clock, changed });
  return {
    watch(link, tab) {
      watching.watch(link, tab);
      return {
        targetId: tab.targetId,
        control: controls.controlOf(link, tab),
        ...present({ acted: tab.live.last }),
      };
    },
    unwatch: watching.unwatch,
    ...controls,
    left(link) {
      watching.unwatch(link);
      controls.left(link);
    },
    close() {
      watching.close();
      controls.close();
    },
  };
}

function createWatching(clock: Clock) {
  const watched = new Map<Tab, Watched>();
  const end = ({ tab, cast }: Watched): void => {
    if (!watched.delete(tab)) return;
    cast.stop();
    tab.live.watched = false;
    tab.live.onNote = undefined;
  };
  const begin = (tab: Tab): Watched => {
    const links = new Set<ClientLink>();
    const send = (event: string, payload: object): void => {
      for (const link of links) if (!link.closing && link.unread < BEHIND) link.send(event, payload);
    };
    const { targetId } = tab;
    const show = async (frame: Frame): Promise<void> => {
      send(FRAME, { targetId, ...frame });
      await Promise.all([...links].map((link) => link.caughtUp()));
    };
    const one = { tab, links, cast: startScreencast({ cdp: tab.cdp, clock, show }) };
    tab.live.watched = true;
    tab.live.onNote = (note) => send(ACTED, { targetId, ...note });
    tab.page.once('close', () => end(one));
    watched.set(tab, one);
    return one;
  };
  const unwatch = (link: ClientLink, targetId?: string): void => {
    for (const one of watched.values()) {
      if (targetId !== undefined && one.tab.targetId !== targetId) continue;
      if (one.links.delete(link) && one.links.size === 0) end(one);
    }
  };
  return {
    unwatch,
    watch(link: ClientLink, tab: Tab): void {
      unwatch(link);
      const one = watched.get(tab) ?? begin(tab);
      one.links.add(link);
      if (one.cast.last) link.send(FRAME, { targetId: tab.targetId, ...one.cast.last });
    },
    close: () => watched.forEach(end),
  };
}

type Controls = Pick<Viewers, 'take' | 'release' | 'input' | 'controlOf' | 'left' | 'close'>;

function createControls({ clock, changed }: ViewersDeps): Controls {
  const held = new Map<Tab, Held>();
  const release = (one: Held): void => {
    if (held.get(one.tab) !== one) return;
    held.delete(one.tab);
    one.timer.cancel();
    one.tab.live.release();
    one.tab.notices.add('A person had control of this tab and handed it back. Take a new snapshot before you act.');
    changed();
  };
  const idle = (tab: Tab): Timer =>
    clock
      .setTimeout(() => {
        const one = held.get(tab);
        if (one) release(one);
      }, IDLE_MS)
      .unref();
  const controlOf: Viewers['controlOf'] = (link, tab) => {
    const one = held.get(tab);
    return one === undefined ? 'agent' : one.link === link ? 'you' : 'somebody';
  };
  return {
    controlOf,
    take(link, tab) {
      const control = controlOf(link, tab);
      if (control === 'you') return;
      if (control === 'somebody') throw new AppError('conflict', 'Somebody else has control of this tab.');
      const one: Held = { link, tab, timer: idle(tab), queue: Promise.resolve() };
      held.set(tab, one);
      tab.page.once('close', () => release(one));
      tab.live.take();
      changed();
    },
    release(link, tab) {
      const one = held.get(tab);
      if (one?.link === link) release(one);
    },
    async input(link, tab, inputs) {
      const one = held.get(tab);
      if (one?.link !== link) throw new AppError('conflict', 'Take control of this tab first.');
      one.timer.cancel();
      one.timer = idle(tab);
      tab.lastUsedAt = clock.now();
      const done = one.queue.then(() => dispatch(tab.page, inputs));
      one.queue = whenOver(done);
      await done.catch((error: unknown) => {
        throw pageError(error, PAGE);
      });
    },
    left: (link) => held.forEach((one) => one.link === link && release(one)),
    close: () => held.forEach(release),
  };
}
