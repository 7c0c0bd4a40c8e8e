/** Records the current action of a tab and its position, for viewers. */
import type { Tab } from '../driver/tab.ts';
import type { Box } from '../driver/tab-live.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';
import { within } from '../../../platform/timeout.ts';
import { text, type Params } from './act-request.ts';
import { locate, readRef } from './refs.ts';

/** Milliseconds to wait for the position of an element; usually a few are enough. */
const BOX_MS = 3000;
const MAX_NAME = 80;
/** Size of the frame around a clicked position, in pixels. */
const POINT = 16;

/** Role and name from the last snapshot: `button "Order"`; or a position in the window: `(40, 30)`. */
export function labelOf({ refs }: Pick<Tab, 'refs'>, params: Params): string | undefined {
  const { x, y } = params;
  if (x !== undefined && y !== undefined) return `(${Number(x)}, ${Number(y)})`;
  const ref = refOf(params);
  const shown = ref === undefined ? undefined : refs.find(ref)?.shown;
  if (!shown) return undefined;
  return shown.name === '' ? shown.role : `${shown.role} ${JSON.stringify(head(shown.name, MAX_NAME))}`;
}

/** Never rejects. The position of an element is requested only if the tab has viewers. */
export async function noteAct(tab: Tab, params: Params, kind: string): Promise<void> {
  const at = Date.now();
  const label = labelOf(tab, params) ?? (kind === 'press' ? text(params, 'key') : undefined);
  const box = tab.live.watched ? await boxOf(tab, params) : undefined;
  tab.live.note({ kind, at, ...present({ label, box }) });
}

function refOf(params: Params): string | undefined {
  const [field] = Array.isArray(params['fields']) ? (params['fields'] as readonly Params[]) : [];
  const written = text(params, 'ref') ?? text(params, 'startRef') ?? (field && text(field, 'ref'));
  return written === undefined ? undefined : readRef(written);
}

async function boxOf(tab: Tab, params: Params): Promise<Box | undefined> {
  const ref = refOf(params);
  const { x, y } = params;
  if (typeof x === 'number' && typeof y === 'number')
    return { x: x - POINT / 2, y: y - POINT / 2, width: POINT, height: POINT };
  if (ref === undefined) return undefined;
  const located = locate(ref, { page: tab.page, refs: tab.refs, documentId: tab.documentId })
    .then((locator) => locator.boundingBox({ timeout: BOX_MS }))
    .then(
      (box) => box ?? undefined,
      () => undefined, // The error of the action itself is reported elsewhere.
    );
  return within(located, { ms: BOX_MS, otherwise: undefined });
}
