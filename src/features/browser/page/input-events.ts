/** Converts input on the picture into input events of the page. Pure. */

/** Keys that are sent as key presses. */
export const isSentKey = (key: string): boolean => NAMED.has(key) || /^[\x20-\x7e]$/.test(key);

const NAMED = new Set(
  (
    'Shift Control Alt Meta Enter Backspace Tab Escape Delete Home End PageUp PageDown Insert ' +
    'ArrowUp ArrowDown ArrowLeft ArrowRight F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12'
  ).split(' '),
);

/** A character that the driver's keyboard does not have is sent as text. Keys without a meaning are ignored. */
export function keyInputs(key: string): readonly object[] {
  if (isSentKey(key)) return [{ type: 'keydown', key }];
  return [...key].length === 1 ? [{ type: 'text', text: key }] : [];
}

interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Converts a position on the picture to the window of the page, in CSS pixels. */
export function pointOf(
  { clientX, clientY }: { readonly clientX: number; readonly clientY: number },
  picture: Rect,
  window: { readonly width: number; readonly height: number },
): { readonly x: number; readonly y: number } {
  const along = (at: number, size: number, wide: number): number =>
    Math.round(Math.min(wide - 1, Math.max(0, (at / Math.max(1, size)) * wide)));
  return {
    x: along(clientX - picture.left, picture.width, window.width),
    y: along(clientY - picture.top, picture.height, window.height),
  };
}
