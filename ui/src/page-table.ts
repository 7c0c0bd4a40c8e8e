/** The table of all pages: built-in ones, the `page/` folders of features, and those of plugins. */
import type { Page } from './routes.ts';
import { PAGES } from './routes.ts';

/** The groups of the navigation, in order. */
export const GROUPS = [
  { id: 'talk', title: 'Talk' },
  { id: 'work', title: 'Work' },
  { id: 'setup', title: 'Set up' },
  { id: 'inspect', title: 'Inspect' },
] as const;
export type PageGroup = (typeof GROUPS)[number]['id'];

export interface PageEntry {
  /** Its address, and the name in the element `claw-<id>`. */
  readonly id: Page;
  /** The element, if it is not `claw-<id>`. */
  readonly element?: string;
  readonly title: string;
  readonly group: PageGroup;
  /** An SVG path on a 20 × 20 grid; absent: the icon of the page's name. */
  readonly icon?: string;
  /** The page that contains it as a part, if there is one. */
  readonly of?: Page;
  /** Its title among the parts of a page. */
  readonly part?: string;
  /** Loaded when it is first opened. */
  load(): Promise<unknown>;
}

type Ordered = PageEntry & Pick<PageFacts, 'order'>;

interface PageFacts {
  readonly title: string;
  readonly icon?: string;
  /** Absent: `work`. */
  readonly group?: PageGroup;
  /** Its position in the navigation; absent: after those that have one. */
  readonly order?: number;
  readonly of?: Page;
  readonly part?: string;
}

const OWN: Readonly<Record<(typeof PAGES)[number], Omit<Ordered, 'id'>>> = {
  chat: { title: 'Chat', group: 'talk', order: 10, load: async () => undefined },
  setup: { title: 'Setup', group: 'setup', order: 15, load: () => import('./setup/setup-page.ts') },
  overview: { title: 'Overview', group: 'talk', order: 20, load: () => import('./pages/overview.ts') },
  sessions: {
    title: 'Sessions',
    group: 'talk',
    order: 25,
    element: 'claw-sessions-page',
    load: () => import('./sessions/sessions-page.ts'),
  },
  channels: { title: 'Channels', group: 'setup', order: 30, load: () => import('./channels/channels-page.ts') },
  tools: {
    title: 'Tools',
    group: 'setup',
    order: 34,
    element: 'claw-tools-page',
    load: () => import('./pages/tools.ts'),
  },
  processes: { title: 'Processes', group: 'work', order: 50, load: () => import('./processes/processes-page.ts') },
  config: { title: 'Config', group: 'setup', order: 60, load: () => import('./pages/config.ts') },
  logs: { title: 'Logs', group: 'inspect', order: 70, load: () => import('./pages/logs.ts') },
  debug: { title: 'Debug', group: 'inspect', order: 90, load: () => import('./debug/debug-page.ts') },
};

/** `src/features/<id>/page/index.ts` defines the element, and `page.json` beside it describes the page. */
const FILES = import.meta.glob('../../src/features/*/page/index.ts');
const FACTS = import.meta.glob<PageFacts>('../../src/features/*/page/page.json', { eager: true, import: 'default' });

function featurePages(): readonly Ordered[] {
  return Object.entries(FILES).flatMap(([path, load]) => {
    const folder = path.slice(0, -'/index.ts'.length);
    const facts = FACTS[`${folder}/page.json`];
    return facts ? [{ group: 'work' as const, ...facts, id: folder.split('/').at(-2)!, load }] : [];
  });
}

/** Pages of plugins, which the gateway writes into the document; their files are served beside the page's own. */
function pluginPages(): readonly PageEntry[] {
  const written = document.querySelector<HTMLMetaElement>('meta[name="clawdbot-pages"]')?.content ?? '[]';
  return (JSON.parse(written) as readonly (PageFacts & { readonly id: string })[]).map((page) => ({
    group: 'work',
    ...page,
    load: () => import(/* @vite-ignore */ new URL(`pages/${page.id}/index.js`, document.baseURI).href),
  }));
}

/** In the order of the navigation. A duplicate name belongs to the first page with it. */
export const pageTable: readonly PageEntry[] = [
  ...[...PAGES.map((id) => ({ id, ...OWN[id] })), ...featurePages()].sort(
    (a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0,
  ),
  ...pluginPages(),
].filter((entry, index, all) => all.findIndex(({ id }) => id === entry.id) === index);

export const pageIds: readonly Page[] = pageTable.map(({ id }) => id);

export const pageOf = (id: Page | undefined): PageEntry | undefined => pageTable.find((entry) => entry.id === id);

/** The navigation entry of a page: its own, or that of the page that contains it. */
export function entryOf(id: Page | undefined): PageEntry | undefined {
  const entry = pageOf(id);
  return entry?.of === undefined ? entry : (pageOf(entry.of) ?? entry);
}

/** All parts of this page, the page itself first; empty: it has no parts. */
export function partsOf(id: Page | undefined): readonly PageEntry[] {
  const whole = entryOf(id);
  const parts = pageTable.filter((entry) => entry === whole || (whole !== undefined && entry.of === whole.id));
  return parts.length > 1 ? parts.toSorted((a, b) => Number(b === whole) - Number(a === whole)) : [];
}
