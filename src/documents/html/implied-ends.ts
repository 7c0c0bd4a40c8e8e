/**
 * Which elements end when another begins, and where an end tag is ignored. Source: WHATWG HTML, 13.1.2.4 and 13.2.6.4.
 */

interface Implied {
  readonly ends: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements that never have content. */
export const VOID = words('area base br col embed hr img input link meta param source track wbr');

/** A paragraph ends where one of these begins. */
const BLOCKS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form ' +
  'h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul';
const PARAGRAPH: Implied = {
  ends: words('p'),
  within: words(`${BLOCKS.replace(' p ', ' ')} li dt dd td th caption button object`),
};

const ROWS: Readonly<Record<string, Implied>> = {
  li: { ends: words('li'), within: words('ul ol menu table') },
  dt: { ends: words('dt dd'), within: words('dl table') },
  dd: { ends: words('dt dd'), within: words('dl table') },
  td: { ends: words('td th'), within: words('tr table') },
  th: { ends: words('td th'), within: words('tr table') },
  tr: { ends: words('tr caption colgroup'), within: words('table') },
  tbody: { ends: words('thead tbody tfoot caption colgroup'), within: words('table') },
  thead: { ends: words('thead tbody tfoot caption colgroup'), within: words('table') },
  tfoot: { ends: words('thead tbody tfoot caption colgroup'), within: words('table') },
  option: { ends: words('option'), within: words('select datalist optgroup') },
  a: { ends: words('a'), within: words('td th table') },
};
const IMPLIED: ReadonlyMap<string, Implied> = new Map([
  ...BLOCKS.split(' ').map((name) => [name, PARAGRAPH] as const),
  ...Object.entries(ROWS),
]);

/** Parts of a table end only by tags of tables. */
const TABLE_PARTS = words('table thead tbody tfoot tr td th caption');

/** How many of the open elements end when `name` begins; the last of `open` is the innermost. */
export function endedByStart(open: readonly string[], name: string): number {
  const rule = IMPLIED.get(name);
  if (!rule) return 0;
  for (let index = open.length - 1; index >= 0; index--) {
    if (rule.ends.has(open[index]!)) return open.length - index;
    if (rule.within.has(open[index]!)) return 0;
  }
  return 0;
}

/** How many of the open elements end with `</name>`; 0 when it belongs to none of them. */
export function endedByEnd(open: readonly string[], name: string, xml: boolean): number {
  for (let index = open.length - 1; index >= 0; index--) {
    if (open[index] === name) return open.length - index;
    if (!xml && TABLE_PARTS.has(open[index]!) && !TABLE_PARTS.has(name)) return 0;
  }
  return 0;
}
