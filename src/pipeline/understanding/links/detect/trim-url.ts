/** Takes off the end of an address what belongs to the sentence around it. Pure. */

const TRAILING = new Set('.,;:!?\'"*_~|`>、。！？）」』】');
const OPENER: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** A closing bracket stays when the address opens one for it; an entity at the end (`&quot;`) goes as a whole. */
export function trimUrl(written: string): string {
  const open = surplus(written);
  let end = written.length;
  for (;;) {
    const last = written[end - 1]!;
    const entity = last === ';' ? /&[a-z0-9]{1,32};$/i.exec(written.slice(Math.max(0, end - 34), end)) : null;
    if (entity) end -= entity[0].length;
    else if (TRAILING.has(last)) end--;
    else if (OPENER[last] && open[last]! > 0) {
      open[last]!--;
      end--;
    } else return written.slice(0, end);
  }
}

/** Closing brackets of each kind that nothing opens. */
function surplus(text: string): Record<string, number> {
  const more: Record<string, number> = {};
  for (const [closer, opener] of Object.entries(OPENER))
    more[closer] = text.split(closer).length - text.split(opener).length;
  return more;
}
