/** One tab: its page, owner, recorded output, prepared answers, and current document. */
import type { CDPSession, Download, Page, Request } from 'playwright-core';
import type { Clock } from '../../../platform/clock.ts';
import { settlesWithin, within } from '../../../platform/timeout.ts';
import type { TabOwner } from '../caller.ts';
import { createRefTable, type RefTable } from '../web-page/refs.ts';
import { hookPage, type PageHooks } from './hooks.ts';
import { createRingBuffer, type RingBuffer } from './ring-buffer.ts';
import { createTabLive, type TabLive } from './tab-live.ts';
import { recordPage, type TabRecord } from './tab-record.ts';

export interface Tab {
  readonly targetId: string;
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly record: TabRecord;
  readonly hooks: PageHooks;
  readonly refs: RefTable;
  /** The most recent downloads. */
  readonly downloads: RingBuffer<FollowedDownload>;
  readonly live: TabLive;
  /** Messages for the next result. */
  readonly notices: RingBuffer<string>;
  owner: TabOwner | undefined;
  lastUsedAt: number;
  crashed: boolean;
  /** Changes with each document of the main frame, and only then. */
  readonly documentId: string;
  /** Waits for a running navigation, at most `ms`. False: the document is not completely parsed, and may never be. */
  settled(ms: number): Promise<boolean>;
  takeNotices(): readonly string[];
}

/** A running download, and a promise for its file. */
export interface FollowedDownload {
  readonly download: Download;
  readonly saved: Promise<{
    readonly url: string;
    readonly suggestedFilename: string;
    readonly path: string;
    readonly bytes: number;
  }>;
}

const MAX_NOTICES = 20;
/** Timeout for parsing a document in milliseconds, from its start: a script may open one and never close it. */
const PARSE_MS = 3000;
/** Milliseconds in which the driver answers whether the document is parsed. */
const ASK_MS = 50;

export interface TabDeps {
  readonly clock: Clock;
  readonly owner: TabOwner | undefined;
  /** The refs of earlier connections to the same target. */
  readonly refs?: RefTable | undefined;
}

export async function openTab(page: Page, { clock, owner, refs }: TabDeps): Promise<Tab> {
  const notices = createRingBuffer<string>(MAX_NOTICES);
  const record = recordPage(page, () => clock.now());
  const live = createTabLive();
  const hooks = hookPage(page, { clock, notice: notices.add, isTaken: () => live.taken });
  const state = { documentId: '', begunAt: performance.now(), navigation: undefined as Request | undefined };
  const arrived = followNavigations(page, state);
  const cdp = await page.context().newCDPSession(page);
  const { targetInfo } = await cdp.send('Target.getTargetInfo');
  cdp.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    state.documentId = frame.loaderId;
    state.begunAt = performance.now();
  });
  await cdp.send('Page.enable');
  state.documentId = (await cdp.send('Page.getFrameTree')).frameTree.frame.loaderId;
  const tab: Tab = {
    targetId: targetInfo.targetId,
    page,
    cdp,
    record,
    hooks,
    refs: refs ?? createRefTable(),
    downloads: createRingBuffer(MAX_NOTICES),
    live,
    notices,
    owner,
    lastUsedAt: clock.now(),
    crashed: false,
    get documentId() {
      return state.documentId;
    },
    async settled(ms) {
      const begun = performance.now();
      if (state.navigation) await settlesWithin(arrived(), ms);
      // The initial empty page never reports that it is loaded.
      if (page.url() === 'about:blank') return true;
      const now = performance.now();
      const left = Math.min(Math.max(ASK_MS, state.begunAt + PARSE_MS - now), begun + ms - now);
      if (left <= 0) return false;
      const parsed = page.waitForLoadState('domcontentloaded', { timeout: left }).then(
        () => true,
        () => false, // a timeout, or a closed page, which every reader of the page notices
      );
      return within(parsed, { ms: left, otherwise: false });
    },
    takeNotices() {
      const newest = notices.all();
      notices.clear();
      return newest;
    },
  };
  tab.refs.connected();
  page.on('crash', () => void (tab.crashed = true));
  page.once('close', hooks.close);
  return tab;
}

/** Tracks requests for a new document of the main frame, from the first request to their outcome. */
function followNavigations(page: Page, state: { navigation: Request | undefined }): () => Promise<void> {
  let arrival = Promise.withResolvers<void>();
  const over = (): void => {
    state.navigation = undefined;
    arrival.resolve();
    arrival = Promise.withResolvers<void>();
  };
  const isMain = (request: Request): boolean => {
    if (!request.isNavigationRequest()) return false;
    return request.frame() === page.mainFrame();
  };
  page.on('request', (request) => {
    if (isMain(request)) state.navigation = request;
  });
  page.on('requestfailed', (request) => {
    if (request === state.navigation) over();
  });
  page.on('response', (response) => {
    // Responses that produce no document: no content, or a download.
    if (response.request() === state.navigation && [204, 205].includes(response.status())) over();
  });
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) over();
  });
  page.on('download', over);
  page.on('close', over);
  return async () => {
    if (state.navigation) await arrival.promise;
  };
}
