/** Reads the string fields of a Markdown file's front matter; other YAML is not supported. */

/**
 * Top-level `key: value` pairs: plain, quoted, and folded (`>`, `|`) over indented lines. Nothing there: an empty
 * record.
 */
export function readFrontMatter(markdown: string): Readonly<Record<string, string>> {
  const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown)?.[1];
  if (block === undefined) return {};
  const fields: Record<string, string> = {};
  let current: string | undefined;
  for (const line of block.split(/\r?\n/)) {
    const pair = /^([A-Za-z_][\w-]*):[ \t]*(.*)$/s.exec(line);
    if (pair) fields[(current = pair[1]!)] = unquoted(pair[2]!);
    else if (current !== undefined && /^[ \t]+\S/.test(line))
      fields[current] = `${fields[current]} ${line.trim()}`.trim();
  }
  return fields;
}

const unquoted = (value: string): string => {
  const text = value.trim();
  if (/^[>|][+-]?$/.test(text)) return '';
  return /^(".*"|'.*')$/.test(text) ? text.slice(1, -1) : text;
};
