/** Shortens a text by taking its middle out, without cutting a character in two. */

/** Keeps 70 % of the room for the head and 30 % for the tail; `marker` is told how many characters went. */
export function clipMiddle(text: string, room: number, marker: (cut: number) => string): string {
  if (text.length <= room) return text;
  const head = whole(text, Math.ceil(room * 0.7));
  const tail = whole(text, text.length - (room - Math.ceil(room * 0.7)));
  return text.slice(0, head) + marker(tail - head) + text.slice(tail);
}

/** Moves a cut off the middle of a surrogate pair. */
const whole = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
};
