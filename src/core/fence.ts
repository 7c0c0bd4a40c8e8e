/** Code fences of Markdown, read line by line. */

/** An open fence; `opener` is its whole line, so that it can be opened again. */
export interface Fence {
  readonly opener: string;
  readonly indent: string;
  readonly marker: string;
}

const OPENER = /^( {0,3})(`{3,}|~{3,})(.*)$/s;

/** The fence that is open after `line`, given the one that was open before it. */
export function fenceAfter(open: Fence | undefined, line: string): Fence | undefined {
  const match = OPENER.exec(line);
  if (!match) return open;
  const [, indent = '', marker = '', info = ''] = match;
  if (!open)
    return marker.startsWith('`') && info.includes('`') ? undefined : { opener: line.trimEnd(), indent, marker };
  return marker[0] === open.marker[0] && marker.length >= open.marker.length && info.trim() === '' ? undefined : open;
}

/** The line that ends a code block begun with this fence. */
export const closerOf = ({ indent, marker }: Fence): string => indent + marker;
