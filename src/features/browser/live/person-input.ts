/** Applies the input of a person to a tab under their control: mouse, wheel, keys and text, in order. */
import { z } from 'zod';
import type { Page } from 'playwright-core';

const place = { x: z.number().min(0).max(20_000), y: z.number().min(0).max(20_000) };
const button = z.enum(['left', 'middle', 'right']).default('left');

export const inputSchema = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('move'), ...place }),
      z.strictObject({ type: z.literal('down'), ...place, button, clicks: z.number().int().min(1).max(3).default(1) }),
      z.strictObject({ type: z.literal('up'), ...place, button, clicks: z.number().int().min(1).max(3).default(1) }),
      z.strictObject({ type: z.literal('wheel'), ...place, dx: z.number(), dy: z.number() }),
      z.strictObject({ type: z.literal('keydown'), key: z.string().min(1).max(32) }),
      z.strictObject({ type: z.literal('keyup'), key: z.string().min(1).max(32) }),
      z.strictObject({ type: z.literal('text'), text: z.string().max(10_000) }),
      z.strictObject({ type: z.literal('history'), to: z.enum(['back', 'forward', 'reload']) }),
    ]),
  )
  .max(100)
  .describe('In their order. Places are in CSS pixels of the window.');

export type PersonInput = z.output<typeof inputSchema>[number];

const HISTORY_MS = 10_000;

/** Rejects with the error of the driver. */
export async function dispatch(page: Page, inputs: readonly PersonInput[]): Promise<void> {
  for (const one of inputs) await dispatchOne(page, one);
}

async function dispatchOne(page: Page, one: PersonInput): Promise<void> {
  const { mouse, keyboard } = page;
  switch (one.type) {
    case 'move':
      return mouse.move(one.x, one.y);
    case 'down':
      await mouse.move(one.x, one.y);
      return mouse.down({ button: one.button, clickCount: one.clicks });
    case 'up':
      await mouse.move(one.x, one.y);
      return mouse.up({ button: one.button, clickCount: one.clicks });
    case 'wheel':
      await mouse.move(one.x, one.y);
      return mouse.wheel(one.dx, one.dy);
    case 'keydown':
      return keyboard.down(one.key);
    case 'keyup':
      return keyboard.up(one.key);
    case 'text':
      return keyboard.insertText(one.text);
    case 'history':
      await inHistory(page, one.to);
  }
}

const inHistory = (page: Page, to: 'back' | 'forward' | 'reload'): Promise<unknown> => {
  const options = { waitUntil: 'commit', timeout: HISTORY_MS } as const;
  if (to === 'back') return page.goBack(options);
  return to === 'forward' ? page.goForward(options) : page.reload(options);
};
