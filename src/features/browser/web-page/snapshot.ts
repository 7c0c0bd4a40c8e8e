/** Takes a snapshot of a tab (ai, role or aria, with labels on request), and stores its refs. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { orTimeout } from '../../../platform/timeout.ts';
import type { Tab } from '../driver/tab.ts';
import { ariaTree, plainTree } from './aria-tree.ts';
import { drawLabels, type Labelled } from './labels.ts';
import { frameBirths, type ShownRef } from './refs.ts';
import { shownRefs, snapshotText, walk, type AriaNode } from './snapshot-text.ts';

export interface SnapshotRequest {
  readonly format: 'ai' | 'aria';
  readonly limit?: number | undefined;
  /** 0: no limit. */
  readonly maxChars: number;
  readonly interactive?: boolean | undefined;
  readonly compact?: boolean | undefined;
  readonly depth?: number | undefined;
  readonly selector?: string | undefined;
  readonly frame?: string | undefined;
  readonly labels?: boolean | undefined;
  readonly refs?: 'role' | 'aria' | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface PageSnapshot {
  readonly body: Readonly<Record<string, unknown>>;
  /** The viewport with labels drawn on it. */
  readonly labelled?: Labelled;
}

type Tree = readonly (AriaNode | string)[];

/** Milliseconds the scripts of a page have to read it; one of 20 000 elements takes half a second. */
const READ_MS = 10_000;
/** Milliseconds the browser itself has after that. */
const PLAIN_MS = 3000;
const EMPTY =
  '(nothing to read: the page is empty, drawn as a picture, or hides its elements in closed shadow roots. ' +
  'A screenshot shows it, and snapshotFormat aria lists what the browser knows of it; ' +
  'act on it with click {x, y} or press.)';

export async function takeSnapshot(tab: Tab, request: SnapshotRequest): Promise<PageSnapshot> {
  const facts = { ok: true, format: request.format, targetId: tab.targetId, url: tab.page.url() };
  if (request.format === 'aria') return { body: { ...facts, nodes: await ariaTree(tab.cdp, request) } };
  const isWhole = await tab.settled(request.timeoutMs);
  const { documentId } = tab;
  const tree = await readTree(tab, request);
  if (tab.documentId !== documentId)
    throw new AppError('conflict', 'The page went elsewhere while it was read. Take the snapshot again.');
  const shown = shownRefs(tree);
  const fresh = tab.refs.appeared(shown.keys(), documentId);
  const isRole = isRoleRequest(request);
  const written = snapshotText(tree, shown, {
    ...request,
    everyRef: !isRole,
    numbered: isRole && request.refs !== 'aria',
    isNew: (ref) => fresh.has(ref),
  });
  const boxes = request.labels ? boxesOf(tree) : [];
  const seen = new Map(
    [...written.refs, ...boxes.map(({ ref }) => ref)].map((ref): [string, ShownRef] => [ref, shown.get(ref)!]),
  );
  tab.refs.show(seen, { documentId, births: await frameBirths(tab.page, seen.keys()) });
  const labelled = request.labels ? await drawLabels(tab, boxes, request) : undefined;
  return {
    body: {
      ...facts,
      url: tab.page.url(),
      snapshot: written.text === '' && tab.page.url() !== 'about:blank' ? EMPTY : written.text,
      stats: written.stats,
      ...present({
        loading: isWhole ? undefined : true,
        truncated: written.truncated || undefined,
        refs: isRole ? factsOf(written.refs, shown) : undefined,
        labels: labelled && true,
        labelsCount: labelled?.count,
        labelsSkipped: labelled?.skipped,
      }),
    },
    ...present({ labelled }),
  };
}

const isRoleRequest = ({ interactive, compact, depth, selector, frame, labels, refs }: SnapshotRequest): boolean =>
  Boolean(interactive || compact || depth !== undefined || selector || frame || labels || refs === 'role');

/** As scripts read it, with refs. Where none runs, as in a window whose document is never closed, by the browser. */
async function readTree(tab: Tab, request: SnapshotRequest): Promise<Tree> {
  try {
    return await treeOf(tab, { ...request, timeoutMs: Math.min(READ_MS, request.timeoutMs) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    if (!isLate || request.selector !== undefined || request.frame !== undefined) throw error;
  }
  const busy = (): AppError =>
    new AppError(
      'timeout',
      'The page does not answer: a script keeps it busy. Navigate this tab elsewhere, or close it.',
      {
        details: { reason: 'page_busy' },
      },
    );
  const tree = await orTimeout(plainTree(tab.cdp), { ms: PLAIN_MS, error: busy });
  tab.notices.add(
    'This page can be read and not acted on: it has no refs, because no script of the driver runs in it.',
  );
  return tree;
}

/** All of the page, or a part of it: then once more all of it, for refs stand for what was looked at last. */
async function treeOf({ page }: Tab, { selector, frame, labels, timeoutMs, signal }: SnapshotRequest): Promise<Tree> {
  const options = { mode: 'ai', timeout: timeoutMs, signal, ...present({ boxes: labels }) } as const;
  if (selector === undefined && frame === undefined) return (await page.ariaSnapshotJSON(options)) as unknown as Tree;
  const scope = frame === undefined ? page : page.frameLocator(frame);
  const part = scope.locator(selector ?? ':root').first();
  const count = await part.count();
  if (count === 0)
    throw new AppError(
      'not_found',
      `Nothing on the page matches ${JSON.stringify(selector ?? frame)}. Leave it out to see the whole page.`,
    );
  const tree = (await part.ariaSnapshotJSON(options)) as unknown as Tree;
  await page.ariaSnapshotJSON({ mode: 'ai', timeout: timeoutMs, signal });
  return tree;
}

function factsOf(named: readonly string[], shown: ReadonlyMap<string, ShownRef>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    named.map((ref) => {
      const { role, name, nth, count } = shown.get(ref)!;
      return [ref, present({ role, name: name || undefined, nth: count > 1 ? nth : undefined })];
    }),
  );
}

/** Of elements to act on, in coordinates of the window: those in a frame lie where the frame does. */
function boxesOf(tree: Tree): readonly {
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}[] {
  const boxes: { ref: string; x: number; y: number; width: number; height: number }[] = [];
  const offsets: { x: number; y: number }[] = [{ x: 0, y: 0 }];
  walk(tree, (node, { depth }) => {
    const offset = offsets[depth] ?? { x: 0, y: 0 };
    offsets.length = depth + 1;
    const { box, ref, role, cursor, name } = node;
    offsets[depth + 1] = role === 'iframe' && box ? { x: offset.x + box.x, y: offset.y + box.y } : offset;
    const wanted =
      ref !== undefined && role !== 'iframe' && (role !== 'generic' || cursor === 'pointer') && (name || cursor);
    if (wanted && box && box.width > 0 && box.height > 0)
      boxes.push({ ref: ref!, x: box.x + offset.x, y: box.y + offset.y, width: box.width, height: box.height });
  });
  return boxes;
}
