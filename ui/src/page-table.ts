/** The table of all pages: built-in ones, the `page/` folders of features, and those of plugins. */
import type { Page } from './routes.ts';
import { PAGES } from './routes.ts';

/** The groups of the navigation, in their order. */
export const GROUPS = [
  { id: 'talk', title: 'Talk' },
  { id: 'work', title: 'Work' },
  { id: 'setup', title: 'Set up' },
  { id: 'inspect', title: 'Inspect' },
] as const;
export type PageGroup = (typeof GROUPS)[number]['id'];

export interface PageEntry {
  /** Its address, and the element `claw-<id>`. */
  readonly id: Page;
  /** Where `claw-<id>` is another element. */
  readonly element?: string;
  readonly title: string;
  readonly group: PageGroup;
  /** An SVG path on a 20 × 20 grid; absent: the icon of that name. */
  readonly icon?: string;
  /** The page it is a part of, where there is such a page. */
  readonly of?: Page;
  /** Its name among the parts of one page. */
  readonly part?: string;
  /** Fetched when first opened. */
  load(): Promise<unknown>;
}

type Ordered = PageEntry & Pick<PageFacts, 'order'>;

interface PageFacts {
  readonly title: string;
  readonly icon?: string;
  /** Absent: `work`. */
  readonly group?: PageGroup;
  /** Its place in the navigation; absent: after those that have one. */
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

/** `src/features/<id>/page/index.ts` defines the element, `page.json` beside it names the page. */
const FILES = import.meta.glob('../../src/features/*/page/index.ts');
const FACTS = import.meta.glob<PageFacts>('../../src/features/*/page/page.json', { eager: true, import: 'default' });

function featurePages(): readonly Ordered[] {
  return Object.entries(FILES).flatMap(([path, load]) => {
    const folder = path.slice(0, -'/index.ts'.length);
    const facts = FACTS[`${folder}/page.json`];
    return facts ? [{ group: 'work' as const, ...facts, id: folder.split('/').at(-2)!, load }] : [];
  });
}

/** The gateway writes them into the document; their files lie beside the page's own. */
function pluginPages(): readonly PageEntry[] {
  const written = document.querySelector<HTMLMetaElement>('meta[name="clawdbot-pages"]')?.content ?? '[]';
  return (JSON.parse(written) as readonly (PageFacts & { readonly id: string })[]).map((page) => ({
    group: 'work',
    ...page,
    load: () => import(/* @vite-ignore */ new URL(`pages/${page.id}/index.js`, document.baseURI).href),
  }));
}

/** In the order of the navigation. A name that is taken stays with the first who has it. */
export const pageTable: readonly PageEntry[] = [
  ...[...PAGES.map((id) => ({ id, ...OWN[id] })), ...featurePages()].sort(
    (a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0,
  ),
  ...pluginPages(),
].filter((entry, index, all) => all.findIndex(({ id }) => id === entry.id) === index);

export const pageIds: readonly Page[] = pageTable.map(({ id }) => id);

export const pageOf = (id: Page | undefined): PageEntry | undefined => pageTable.find((entry) => entry.id === id);

/** The entry of the navigation a page stands under: its own, or that of the page it is a part of. */
export function entryOf(id: Page | undefined): PageEntry | undefined {
  const entry = pageOf(id);
  return entry?.of === undefined ? entry : (pageOf(entry.of) ?? entry);
}

/** All parts of this page, the first of them the page itself; empty: it has no others. */
export function partsOf(id: Page | undefined): readonly PageEntry[] {
  const whole = entryOf(id);
  const parts = pageTable.filter((entry) => entry === whole || (whole !== undefined && entry.of === whole.id));
  return parts.length > 1 ? parts.toSorted((a, b) => Number(b === whole) - Number(a === whole)) : [];
}
