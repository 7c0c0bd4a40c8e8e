/** The table of all pages: built-in ones, the `page/` folders of features, and those of plugins. */
import type { Page } from './routes.ts';
import { PAGES } from './routes.ts';

export interface PageEntry {
  /** Its address, and the element `claw-<id>`. */
  readonly id: Page;
  /** Where `claw-<id>` is another element. */
  readonly element?: string;
  readonly title: string;
  /** An SVG path on a 20 × 20 grid; absent: the icon of that name. */
  readonly icon?: string;
  /** Fetched when first opened. */
  load(): Promise<unknown>;
}

type Ordered = PageEntry & Pick<PageFacts, 'order'>;

interface PageFacts {
  readonly title: string;
  readonly icon?: string;
  /** Its place in the navigation; absent: after those that have one. */
  readonly order?: number;
}

const OWN: Readonly<Record<(typeof PAGES)[number], Omit<Ordered, 'id'>>> = {
  chat: { title: 'Chat', order: 10, load: async () => undefined },
  setup: { title: 'Setup', order: 15, load: () => import('./setup/setup-page.ts') },
  overview: { title: 'Overview', order: 20, load: () => import('./pages/overview.ts') },
  sessions: {
    title: 'Sessions',
    order: 25,
    element: 'claw-sessions-page',
    load: () => import('./sessions/sessions-page.ts'),
  },
  channels: { title: 'Channels', order: 30, load: () => import('./channels/channels-page.ts') },
  tools: { title: 'Tools', order: 34, element: 'claw-tools-page', load: () => import('./pages/tools.ts') },
  processes: { title: 'Processes', order: 50, load: () => import('./processes/processes-page.ts') },
  config: { title: 'Config', order: 60, load: () => import('./pages/config.ts') },
  logs: { title: 'Logs', order: 70, load: () => import('./pages/logs.ts') },
  debug: { title: 'Debug', order: 90, load: () => import('./debug/debug-page.ts') },
};

/** `src/features/<id>/page/index.ts` defines the element, `page.json` beside it names the page. */
const FILES = import.meta.glob('../../src/features/*/page/index.ts');
const FACTS = import.meta.glob<PageFacts>('../../src/features/*/page/page.json', { eager: true, import: 'default' });

function featurePages(): readonly Ordered[] {
  return Object.entries(FILES).flatMap(([path, load]) => {
    const folder = path.slice(0, -'/index.ts'.length);
    const facts = FACTS[`${folder}/page.json`];
    return facts ? [{ ...facts, id: folder.split('/').at(-2)!, load }] : [];
  });
}

/** The gateway writes them into the document; their files lie beside the page's own. */
function pluginPages(): readonly PageEntry[] {
  const written = document.querySelector<HTMLMetaElement>('meta[name="clawdbot-pages"]')?.content ?? '[]';
  return (JSON.parse(written) as readonly (PageFacts & { readonly id: string })[]).map((page) => ({
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
