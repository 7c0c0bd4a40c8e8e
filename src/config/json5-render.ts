/** Values as JSON5 text in the style of the file they go into. */

export interface Style {
  /** One level of indentation. */
  readonly unit: string;
  readonly eol: string;
  /** Keys without quotes where the language allows it. */
  readonly bareKeys: boolean;
}

const MAX_INLINE = 80;

/** Text of a value whose first line begins at `indent`. */
export function renderValue(
  value: unknown,
  { style, indent, inline = false }: { style: Style; indent: string; inline?: boolean },
): string {
  if (Array.isArray(value))
    return renderBlock(
      ['[', ']'],
      value.map((item) => ({ before: '', item })),
      { style, indent, inline: inline || isShortList(value) },
    );
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => ({ before: `${renderKey(key, style)}: `, item: item as unknown }));
    return renderBlock(['{', '}'], entries, { style, indent, inline });
  }
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  // U+2028 and U+2029 end a line for some readers.
  return (JSON.stringify(value) ?? 'null').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

export function renderKey(key: string, style: Style): string {
  return style.bareKeys && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

function renderBlock(
  [open, close]: readonly [string, string],
  entries: readonly { before: string; item: unknown }[],
  { style, indent, inline }: { style: Style; indent: string; inline: boolean },
): string {
  if (entries.length === 0) return open + close;
  const inner = indent + style.unit;
  const parts = entries.map(({ before, item }) => before + renderValue(item, { style, indent: inner, inline }));
  if (inline) return open === '{' ? `{ ${parts.join(', ')} }` : `[${parts.join(', ')}]`;
  return `${open}${style.eol}${parts.map((part) => inner + part).join(`,${style.eol}`)}${style.eol}${indent}${close}`;
}

function isShortList(list: readonly unknown[]): boolean {
  return list.every((item) => typeof item !== 'object' || item === null) && JSON.stringify(list).length <= MAX_INLINE;
}
