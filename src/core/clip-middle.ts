/** Shortens a text by removing its middle, without splitting a character. */
import { characterStart } from '../core/cut.ts';

/** Keeps 70 % of the room for the head and 30 % for the tail; `marker` gets the number of removed characters. */
export function clipMiddle(text: string, room: number, marker: (cut: number) => string): string {
  if (text.length <= room) return text;
  const head = characterStart(text, Math.ceil(room * 0.7));
  const tail = characterStart(text, text.length - (room - Math.ceil(room * 0.7)));
  return text.slice(0, head) + marker(tail - head) + text.slice(tail);
}
