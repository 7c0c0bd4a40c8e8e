/** Draws refs as boxes over the elements of a page while a picture is taken. */
import type { Tab } from '../driver/tab.ts';
import { inPage } from './in-page.ts';

export interface Box {
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Labelled {
  readonly picture: Buffer;
  readonly count: number;
  readonly skipped: number;
}

const MAX_LABELS = 150;
const MARK = 'data-clawdbot-labels';

/** Boxes relative to the window at any scroll position; elements outside it are skipped. */
export async function drawLabels(
  { page }: Tab,
  boxes: readonly Box[],
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Labelled> {
  const { width, height } = await page.evaluate(size, undefined);
  const inside = boxes.filter(
    (box) => box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0,
  );
  const drawn = inside.slice(0, MAX_LABELS);
  try {
    await page.evaluate(draw, drawn);
    const picture = await page.screenshot({ type: 'png', timeout: timeoutMs, signal, animations: 'disabled' });
    return { picture, count: drawn.length, skipped: boxes.length - drawn.length };
  } finally {
    await page.evaluate(erase, undefined);
  }
}

const size = inPage<undefined, { readonly width: number; readonly height: number }>(
  '() => ({ width: innerWidth, height: innerHeight })',
);
const erase = inPage<undefined, void>(`() => document.querySelectorAll('[${MARK}]').forEach((one) => one.remove())`);
const draw = inPage<readonly Box[], void>(`(boxes) => {
  const layer = document.createElement('div');
  layer.setAttribute('${MARK}', '');
  layer.style.cssText = 'position:fixed;inset:0;z-index:2147483647;pointer-events:none;margin:0;padding:0;border:0';
  for (const { ref, x, y, width, height } of boxes) {
    const box = document.createElement('div');
    box.style.cssText = 'position:fixed;outline:2px solid #ff4500;margin:0;' +
      'left:' + x + 'px;top:' + y + 'px;width:' + width + 'px;height:' + height + 'px';
    const tag = document.createElement('div');
    tag.textContent = ref;
    tag.style.cssText = 'position:fixed;background:#ff4500;color:#fff;font:bold 11px/14px monospace;padding:0 3px;' +
      'margin:0;left:' + Math.max(0, x) + 'px;top:' + Math.max(0, y - 14) + 'px';
    layer.append(box, tag);
  }
  document.documentElement.append(layer);
}`);
