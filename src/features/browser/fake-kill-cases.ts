/**
 * What is running when a browser or its gateway is killed: for each action a page that keeps it running, and the call.
 */
import assert from 'node:assert/strict';
import { until } from '../../testing/until.ts';
import type { FakePages } from './fake-pages.ts';

export interface KillCase {
  readonly name: string;
  readonly method?: 'GET' | 'DELETE';
  readonly path: string;
  /** `url`: of the test pages; `ref`: of the element named `target`; `targetId`: of the tab. */
  given?(of: { readonly url: string; readonly ref: string; readonly targetId: string }): object;
  /** The element on the page that the action uses. */
  readonly target?: string;
  readonly files?: boolean;
  /**
   * The request of the page that shows that the action is running; it gets no response. Without it, the call does not
   * change the page.
   */
  readonly asks?: string;
  /** The page runs an endless script, so every read of it waits. */
  readonly busy?: boolean;
  /** The action can end before the page does, so it may have a result. */
  readonly mayAnswer?: boolean;
  /** The action closes the page. */
  readonly endsPage?: boolean;
  /** Part of every test run; other cases run only in the full one. */
  readonly sample?: boolean;
}

const LONG = { timeoutMs: 60_000 };
const act = (
  kind: string,
  of: Omit<KillCase, 'name' | 'path' | 'given'>,
  given: (ref: string) => object = (ref) => ({ ref }),
): KillCase => ({
  name: kind,
  path: '/act',
  ...of,
  given: ({ ref }) => ({ kind, ...LONG, ...given(ref) }),
});
const reading = (path: string, of: Partial<KillCase> = {}): KillCase => ({
  name: path.slice(1),
  path,
  busy: true,
  ...of,
});

export const KILL_CASES: readonly KillCase[] = [
  act('click', { target: '"Click"', asks: '/silent?click', sample: true }),
  act('type', { target: '"Type"', asks: '/silent?type' }, (ref) => ({ ref, text: 'x' })),
  act('fill', { target: '"Fill"', asks: '/silent?fill' }, (ref) => ({ fields: [{ ref, value: 'x' }] })),
  act('press', { asks: '/silent?press' }, () => ({ key: 'a' })),
  act('hover', { target: '"Hover"', asks: '/silent?hover' }),
  act('drag', { target: '"Drag"', asks: '/silent?drag' }, (ref) => ({ startRef: ref, endRef: ref })),
  act('select', { target: '"Select"', asks: '/silent?select' }, (ref) => ({ ref, values: ['Two'] })),
  act('resize', { asks: '/silent?resize', mayAnswer: true }, () => ({ width: 500, height: 400 })),
  act('scrollIntoView', { target: '"Far"', asks: '/silent?scroll', mayAnswer: true }),
  act('evaluate', { asks: '/silent?evaluate' }, () => ({ fn: "hold('evaluate')" })),
  act('batch', { asks: '/silent?batch' }, () => ({ actions: [{ kind: 'evaluate', fn: "hold('batch')" }] })),
  act('wait', { asks: '/silent?wait' }, () => ({ fn: "globalThis.asked ??= fetch('/silent?wait'), false" })),
  act('close', { busy: true, mayAnswer: true, endsPage: true }, () => ({})),
  {
    name: 'navigate',
    path: '/navigate',
    asks: '/silent?page',
    given: ({ url }) => ({ url: `${url}/silent?page` }),
    sample: true,
  },
  { name: 'open', path: '/tabs/open', asks: '/silent?tab', given: ({ url }) => ({ url: `${url}/silent?tab` }) },
  {
    name: 'upload',
    path: '/hooks/file-chooser',
    files: true,
    asks: '/silent?upload',
    given: () => ({ element: '[type=file]' }),
  },
  { name: 'dialog', path: '/hooks/dialog', given: () => ({ accept: true }), mayAnswer: true },
  {
    name: 'download',
    path: '/download',
    target: '"Download"',
    asks: '/silent?download',
    given: ({ ref }) => ({ ref, ...LONG }),
  },
  { name: 'close a tab', method: 'DELETE', path: '/tabs/:targetId', busy: true, mayAnswer: true, endsPage: true },
  { name: 'focus', path: '/tabs/focus', given: ({ targetId }) => ({ targetId }), busy: true, mayAnswer: true },
  reading('/snapshot', { method: 'GET', given: () => LONG }),
  reading('/screenshot', { given: () => ({ fullPage: true, ...LONG }) }),
  reading('/pdf', { given: () => LONG, sample: true }),
  reading('/console', { method: 'GET', mayAnswer: true }),
  reading('/tabs', { method: 'GET', mayAnswer: true }),
  reading('/wait/download', { given: () => LONG, sample: true }),
  reading('/response/body', { given: () => ({ url: 'never', ...LONG }) }),
];

/** All of them, in the full run. */
export const killCases = (): readonly KillCase[] =>
  process.env['TEST_MATRICES'] === 'full' ? KILL_CASES : KILL_CASES.filter(({ sample }) => sample);

export interface KillStage {
  readonly pages: FakePages;
  /** `file`: with one file. */
  call(method: string, path: string, given: object, options?: { readonly file: boolean }): Promise<any>;
  /** A short call in parallel that does not wait for the running one. */
  status(): Promise<unknown>;
}

/** Opens the page and starts the action. Resolves when the action is running, with a promise for its result. */
export async function begin(one: KillCase, { pages, call, status }: KillStage) {
  const { targetId } = await call('POST', '/tabs/open', { url: `${pages.url}/held` });
  const from = pages.asked.length;
  const askedFor = (what: string): number => pages.asked.slice(from).filter((line) => line === `GET ${what}`).length;
  const ref = one.target === undefined ? '' : refOf(one.target, (await call('GET', '/snapshot', {})).snapshot);
  if (one.busy) {
    await call('POST', '/act', { kind: 'evaluate', fn: 'busy()' });
    await until(() => askedFor('/silent?busy') === 1);
  }
  const given = one.given?.({ url: pages.url, ref, targetId }) ?? {};
  const path = one.path.replace(':targetId', targetId);
  const ended: Promise<unknown> = call(one.method ?? 'POST', path, given, { file: one.files === true }).catch(
    (error: unknown) => error,
  );
  if (one.asks !== undefined) await until(() => askedFor(one.asks!) === 1);
  // Calls begin in the order of their arrival.
  else await status();
  return { ended, asked: () => (one.asks === undefined ? 0 : askedFor(one.asks)) };
}

function refOf(target: string, snapshot: string): string {
  const line = snapshot.split('\n').find((each) => each.includes(target) && each.includes('[ref='));
  assert.ok(line, `${target} is not in\n${snapshot}`);
  return /\[ref=([^\]]+)\]/.exec(line)![1]!;
}
