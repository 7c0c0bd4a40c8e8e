/** What is being done, for whoever looks at the page: what it is done to, and where that is. */
import type { Tab } from '../driver/tab.ts';
import type { Box } from '../driver/tab-live.ts';
import { head } from '../../../core/cut.ts';
import { present } from '../../../core/present.ts';
import { within } from '../../../platform/timeout.ts';
import { text, type Given } from './act-request.ts';
import { locate, readRef } from './refs.ts';

/** Milliseconds an element has to say where it is: a few are enough, except on a busy machine. */
const BOX_MS = 3000;
const MAX_NAME = 80;
/** Pixels of the frame around a place that was clicked. */
const POINT = 16;

/** By role and name, as the last snapshot showed it: `button "Order"`; a place in the window: `(40, 30)`. */
export function labelOf({ refs }: Pick<Tab, 'refs'>, given: Given): string | undefined {
  const { x, y } = given;
  if (x !== undefined && y !== undefined) return `(${Number(x)}, ${Number(y)})`;
  const ref = refOf(given);
  const shown = ref === undefined ? undefined : refs.find(ref)?.shown;
  if (!shown) return undefined;
  return shown.name === '' ? shown.role : `${shown.role} ${JSON.stringify(head(shown.name, MAX_NAME))}`;
}

/** Never rejects; where an element is, is asked only while somebody looks. */
export async function noteAct(tab: Tab, given: Given, kind: string): Promise<void> {
  const at = Date.now();
  const label = labelOf(tab, given) ?? (kind === 'press' ? text(given, 'key') : undefined);
  const box = tab.live.watched ? await boxOf(tab, given) : undefined;
  tab.live.note({ kind, at, ...present({ label, box }) });
}

function refOf(given: Given): string | undefined {
  const [field] = Array.isArray(given['fields']) ? (given['fields'] as readonly Given[]) : [];
  const written = text(given, 'ref') ?? text(given, 'startRef') ?? (field && text(field, 'ref'));
  return written === undefined ? undefined : readRef(written);
}

async function boxOf(tab: Tab, given: Given): Promise<Box | undefined> {
  const ref = refOf(given);
  const { x, y } = given;
  if (typeof x === 'number' && typeof y === 'number')
    return { x: x - POINT / 2, y: y - POINT / 2, width: POINT, height: POINT };
  if (ref === undefined) return undefined;
  const asked = locate(ref, { page: tab.page, refs: tab.refs, documentId: tab.documentId })
    .then((locator) => locator.boundingBox({ timeout: BOX_MS }))
    .then(
      (box) => box ?? undefined,
      () => undefined, // The act itself says what is wrong with it.
    );
  return within(asked, { ms: BOX_MS, otherwise: undefined });
}
