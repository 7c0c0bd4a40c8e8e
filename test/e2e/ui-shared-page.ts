/**
 * Shares one page and gateway between the cases of a file, because loading a page takes much longer than most cases.
 * Each case gets both in their initial state. Called in the body of a `describe`.
 */
import { afterEach } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startGateway, type GatewayOptions, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import type { FakeGateway } from '../../ui/dev/fake-gateway.ts';
import { FakeState } from '../../ui/dev/fake-state.ts';
import { becomes, REAL_TOKEN, signedIn, type Harness } from './ui-harness.ts';

interface Opened<Gateway> {
  readonly gateway: Gateway;
  readonly page: Page;
}
export interface SharedPage<Gateway> {
  /** A conversation nobody has written in; `session` is its key. */
  conversation(): Promise<Opened<Gateway> & { readonly session: string }>;
  /** `path` newly opened; shown once `selector` is there. `prepare` fills the gateway before the page looks. */
  at(path: string, selector: string, prepare?: (gateway: Gateway) => void): Promise<Opened<Gateway>>;
}

/** On a fake gateway, which begins anew for each case. */
export const sharedPage = (harness: Harness, window: BrowserContextOptions = {}): SharedPage<FakeGateway> =>
  shared({
    open: () => signedIn(harness, { window: { ...window, kept: true } }),
    rest: endRuns,
    renew: (gateway) => {
      renew(gateway.state);
      return fromNowOn(gateway, 'requests', 'connects');
    },
  });

/** On a real gateway, which keeps the conversations of earlier cases. */
export const sharedGateway = (
  harness: Harness,
  options: GatewayOptions = {},
  window: BrowserContextOptions = {},
): SharedPage<RunningGateway> =>
  shared({
    open: async () => {
      const gateway = await startGateway(options);
      harness.atTheEnd(async () => gateway[Symbol.asyncDispose]());
      const address = `http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`;
      const page = await harness.open(address, { ...window, kept: true });
      await page.waitForSelector('.chat claw-composer textarea');
      return { gateway, page };
    },
    rest: async () => undefined,
    renew: (gateway) => ({ ...gateway, models: fromNowOn(gateway.models, 'requests'), instance: gateway.instance }),
  });

function shared<Gateway>(how: {
  open(): Promise<Opened<Gateway>>;
  /** Ends what a case left under way, so that the page hears of it. */
  rest(gateway: Gateway): Promise<void>;
  /** The gateway of the next case. */
  renew(gateway: Gateway): Gateway;
}): SharedPage<Gateway> {
  const held: { opened?: Promise<Opened<Gateway>> } = {};
  const at: SharedPage<Gateway>['at'] = async (path, selector, prepare) => {
    const { gateway: used, page } = await (held.opened ??= how.open());
    await how.rest(used);
    await leave(page);
    const gateway = how.renew(used);
    prepare?.(gateway);
    // Through the chat, because from a page to itself nothing is opened.
    await visit(page, '/');
    await page.waitForSelector('.chat claw-composer textarea');
    if (path !== '/') await visit(page, path);
    await page.waitForSelector(selector);
    return { gateway, page };
  };
  // What a failed case left behind is used by no other.
  afterEach(async (test: object) => {
    const { opened } = held;
    if (!opened || !('passed' in test) || test.passed) return;
    delete held.opened;
    await (await opened).page.context().close();
  });
  return {
    at,
    conversation: async () => {
      const opened = await at('/', '.top');
      await opened.page.click('.top [aria-label="New conversation"]');
      const session = new URL(opened.page.url()).searchParams.get('session')!;
      await becomes(opened.page, `document.querySelector('claw-composer').conversation === ${JSON.stringify(session)}`);
      await opened.page.waitForSelector('.suggestion');
      return { ...opened, session };
    },
  };
}

/** Goes to an address of the page as the browser's history does, without loading it. */
export const visit = (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}), dispatchEvent(new PopStateEvent('popstate'))`);

async function endRuns({ state }: FakeGateway): Promise<void> {
  for (const { sessionKey } of state.runs.values()) state.abort(sessionKey);
  state.exec.refuse = undefined;
  for (const id of state.exec.approvals.keys()) state.exec.resolve(id, 'deny', 'nobody');
  await until(() => state.runs.size === 0, 'the runs of the case before to end');
}

/** To an address without a page, so that what is opened next is made anew. Dialogs and notes lie above all pages. */
async function leave(page: Page): Promise<void> {
  await becomes(page, `!document.title.startsWith('(')`);
  await visit(page, '/nowhere');
  await becomes(page, `!document.querySelector('claw-chat')`);
  await page.evaluate(`for (const dialog of document.querySelectorAll('dialog')) dialog.close();
    document.querySelector('.toasts')?.remove();`);
}

/** As of a gateway that was just started. */
function renew(state: FakeState): void {
  const { exec, channels, cron, ...facts } = new FakeState({ pace: 0, broadcast: () => undefined });
  Object.assign(state, facts);
  Object.assign(state.exec, exec);
  Object.assign(state.channels, channels);
  Object.assign(state.cron, cron);
}

/** The same, whose lists begin here. */
function fromNowOn<T extends object>(of: T, ...lists: readonly (keyof T)[]): T {
  const lengths = new Map(lists.map((name) => [name, (of[name] as readonly unknown[]).length]));
  return new Proxy(of, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      const from = lengths.get(name as keyof T);
      return from === undefined ? value : (value as readonly unknown[]).slice(from);
    },
  });
}
