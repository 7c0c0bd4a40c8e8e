/** Acts on a page as a person does, by refs of a snapshot. The driver waits until the element is actionable. */
import type { Locator } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { closePage } from '../driver/close-page.ts';
import type { Tab } from '../driver/tab.ts';
import {
  ACTION_TIME,
  anyText,
  evaluateOff,
  flag,
  invalid,
  number,
  readButton,
  readKind,
  readModifiers,
  required,
  text,
  texts,
  timeoutOf,
  type ActKind,
  type Button,
  type Params,
  type Modifier,
} from './act-request.ts';
import { pageBusy, pageError } from './errors.ts';
import { runInPage } from './evaluate.ts';
import { labelOf, noteAct } from './note-act.ts';
import { locate } from './refs.ts';
import { waitFor } from './wait.ts';
import { present } from '../../../core/present.ts';
import { orTimeout, raceSignal } from '../../../platform/timeout.ts';

export interface ActDeps {
  readonly signal: AbortSignal;
  readonly evaluateEnabled: boolean;
}

/** What an action adds to the answer. */
type Answer = Readonly<Record<string, unknown>>;
interface Acting extends ActDeps {
  readonly tab: Tab;
  readonly params: Params;
  readonly timeout: number;
}

/** Timeout in milliseconds for a navigation that an action causes. */
const SETTLE_MS = 8000;
const SLOW_MS = 75;
const MAX_BATCH = 25;
/** The maximum width and height of a window, in pixels. */
const MAX_WINDOW = 10_000;
/** Milliseconds a key may stay pressed. */
const MAX_DELAY_MS = 10_000;

export async function act(tab: Tab, params: Params, deps: ActDeps): Promise<Answer> {
  const kind = readKind(params);
  const timeout = timeoutOf(params, ACTION_TIME);
  const subject = text(params, 'ref') ?? text(params, 'startRef') ?? kind;
  try {
    if (kind !== 'batch' && kind !== 'wait') await noteAct(tab, params, kind);
    const answer = await ACTS[kind]({ ...deps, tab, params, timeout });
    if (!tab.page.isClosed()) await tab.settled(SETTLE_MS);
    return {
      ok: true,
      targetId: tab.targetId,
      ...present({ url: tab.page.isClosed() ? undefined : tab.page.url(), on: labelOf(tab, params) }),
      ...answer,
    };
  } catch (error) {
    if (deps.signal.aborted) throw new AppError('aborted', 'The action was stopped.', { cause: error });
    throw pageError(error, subject);
  }
}

/** Adds a timeout where the driver has none: a busy page processes no keys. */
const inTime = <T>(work: Promise<T>, { timeout, signal }: Pick<Acting, 'timeout' | 'signal'>): Promise<T> =>
  raceSignal(orTimeout(work, { ms: timeout, error: () => pageBusy(timeout) }), signal);

const element = ({ tab, params }: Acting, name = 'ref'): Promise<Locator> =>
  locate(required(params, name), { page: tab.page, refs: tab.refs, documentId: tab.documentId });

const ACTS: Readonly<Record<ActKind, (acting: Acting) => Promise<Answer>>> = {
  async click(acting) {
    const { params, timeout, signal } = acting;
    const button = readButton(params);
    const modifiers = [...readModifiers(params)];
    if (params['x'] !== undefined || params['y'] !== undefined) return clickAt(acting, { button, modifiers });
    const locator = await element(acting);
    const options = { timeout, signal, modifiers, ...present({ button }) };
    if (flag(params, 'doubleClick')) await locator.dblclick(options);
    else await locator.click(options);
    return {};
  },
  async type(acting) {
    const { params, timeout, signal } = acting;
    const written = anyText(params, 'text');
    const locator = await element(acting);
    if (flag(params, 'slowly')) {
      await locator.click({ timeout, signal });
      await locator.pressSequentially(written, { delay: SLOW_MS, timeout: timeout + written.length * SLOW_MS, signal });
    } else await locator.fill(written, { timeout, signal });
    if (flag(params, 'submit')) await locator.press('Enter', { timeout, signal });
    return {};
  },
  async press({ tab, params, timeout, signal }) {
    const delay = Math.min(MAX_DELAY_MS, Math.max(0, number(params, 'delayMs') ?? 0));
    await inTime(tab.page.keyboard.press(required(params, 'key'), { delay }), { timeout: timeout + delay, signal });
    return {};
  },
  async hover(acting) {
    await (await element(acting)).hover({ timeout: acting.timeout, signal: acting.signal });
    return {};
  },
  async drag(acting) {
    const [start, end] = [await element(acting, 'startRef'), await element(acting, 'endRef')];
    await start.dragTo(end, { timeout: acting.timeout, signal: acting.signal });
    return {};
  },
  async select(acting) {
    const values = texts(acting.params, 'values');
    if (values.length === 0) throw invalid('values required: at least one option.');
    await (await element(acting)).selectOption([...values], { timeout: acting.timeout, signal: acting.signal });
    return {};
  },
  fill,
  async resize({ tab, params, timeout, signal }) {
    const [width, height] = [number(params, 'width'), number(params, 'height')];
    if (width === undefined || height === undefined) throw invalid('width and height required');
    const size = { width: Math.max(1, Math.floor(width)), height: Math.max(1, Math.floor(height)) };
    if (Math.max(size.width, size.height) > MAX_WINDOW)
      throw invalid(`A window has at most ${MAX_WINDOW} pixels on each side.`);
    await inTime(tab.page.setViewportSize(size), { timeout, signal });
    return size;
  },
  async wait({ tab, params, ...deps }) {
    await waitFor(tab, params, deps);
    return {};
  },
  async evaluate({ tab, params, timeout, signal, evaluateEnabled }) {
    if (!evaluateEnabled) throw evaluateOff();
    const written = required(params, 'fn');
    const ref = text(params, 'ref');
    const locator =
      ref === undefined ? undefined : await locate(ref, { page: tab.page, refs: tab.refs, documentId: tab.documentId });
    return { result: await runInPage(tab, written, { locator, timeoutMs: timeout, signal }) };
  },
  async scrollIntoView(acting) {
    await (await element(acting)).scrollIntoViewIfNeeded({ timeout: acting.timeout, signal: acting.signal });
    return {};
  },
  async close({ tab }) {
    await closePage(tab.page);
    return { closed: true };
  },
  batch,
};

/** In CSS pixels of the window, for targets without a ref: a canvas, a closed shadow root. */
async function clickAt(
  { tab, params, timeout, signal }: Acting,
  { button, modifiers }: { readonly button: Button | undefined; readonly modifiers: readonly Modifier[] },
): Promise<Answer> {
  if (text(params, 'ref') !== undefined) throw invalid('Use ref, or x and y, not both.');
  const [x, y] = [number(params, 'x'), number(params, 'y')];
  if (x === undefined || y === undefined) throw invalid('x and y required, in pixels of the window.');
  const { cssLayoutViewport } = await inTime(tab.cdp.send('Page.getLayoutMetrics'), { timeout, signal });
  const { clientWidth: width, clientHeight: height } = cssLayoutViewport;
  if (x < 0 || y < 0 || x >= width || y >= height)
    throw invalid(`(${x}, ${y}) is outside of the window, which has ${width} × ${height} pixels. Scroll first.`);
  const { keyboard, mouse } = tab.page;
  for (const one of modifiers) await keyboard.down(one);
  try {
    const clickCount = flag(params, 'doubleClick') ? 2 : 1;
    await inTime(mouse.click(x, y, { clickCount, ...present({ button }) }), { timeout, signal });
  } finally {
    for (const one of modifiers) await keyboard.up(one);
  }
  return { x, y };
}

const TRUE: ReadonlySet<unknown> = new Set([true, 1, '1', 'true']);

async function fill(acting: Acting): Promise<Answer> {
  const { params, tab, timeout, signal } = acting;
  const listed = Array.isArray(params['fields']) ? params['fields'] : params['ref'] === undefined ? [] : [params];
  const fields = listed.filter(
    (one): one is Params => typeof one === 'object' && one !== null && text(one as Params, 'ref') !== undefined,
  );
  if (fields.length === 0) throw invalid('fields required: a list of {ref, value}, one for each field.');
  for (const [at, field] of fields.entries()) {
    const ref = text(field, 'ref')!;
    try {
      const locator = await locate(ref, { page: tab.page, refs: tab.refs, documentId: tab.documentId });
      const kind = text(field, 'type') ?? tab.refs.find(ref.replace(/^@|^ref=/, ''))?.shown.role;
      const value = field['value'] ?? field['text'];
      if (kind === 'checkbox' || kind === 'radio' || kind === 'switch')
        await locator.setChecked(TRUE.has(value), { timeout, signal });
      else await locator.fill(value === undefined || value === null ? '' : String(value), { timeout, signal });
    } catch (error) {
      const failure = pageError(error, ref);
      const before = at === 0 ? 'None was filled before it.' : `${at} before it ${at === 1 ? 'was' : 'were'} filled.`;
      throw new AppError(failure.code, `${failure.message} ${before}`, {
        cause: failure,
        details: { ...failure.details, filled: at },
      });
    }
  }
  return { filled: fields.length };
}

/** In order until one fails; reports what was done up to then. */
async function batch({ tab, params, signal, evaluateEnabled }: Acting): Promise<Answer> {
  const listed = params['actions'] ?? params['requests'] ?? params['steps'];
  if (!Array.isArray(listed) || listed.length === 0)
    throw invalid('actions required: a list of acts, each with its kind.');
  if (listed.length > MAX_BATCH) throw invalid(`At most ${MAX_BATCH} actions in one batch.`);
  const acts = listed.map((one: unknown, at) => {
    if (typeof one !== 'object' || one === null) throw invalid(`actions[${at}] must be an object with a kind.`);
    if (readKind(one as Params) === 'batch') throw invalid('A batch cannot hold another batch.');
    return one as Params;
  });
  const results: Answer[] = [];
  for (const [at, one] of acts.entries()) {
    try {
      const { ok: _ok, targetId: _targetId, ...rest } = await act(tab, one, { signal, evaluateEnabled });
      results.push({ kind: one['kind'], ...rest });
    } catch (error) {
      const failure = pageError(error, `actions[${at}]`);
      throw new AppError(
        failure.code,
        `actions[${at}] failed: ${failure.message} ${at} before it ${at === 1 ? 'was' : 'were'} done.`,
        {
          cause: failure,
          details: { ...failure.details, done: at },
        },
      );
    }
  }
  return { results };
}
