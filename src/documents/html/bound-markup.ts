/** Rewrites HTML or XML, in one pass over it, into markup of bounded depth and size that any parser can take. */
import { endedByEnd, endedByStart, VOID } from './implied-ends.ts';

/** Beyond these the text goes on, the elements do not. Real pages stay far below. */
const MAX_INPUT = 8_000_000;
const MAX_TEXT = 2_000_000;
/** The parser makes a node of every entity, which weighs as much as so many characters. */
const ENTITY_COST = 40;
/** Characters processed in one step. */
const PIECE = 4096;
const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 40;
const MAX_VALUE = 4096;
/** Style sheets, each; longer ones are left out. */
const MAX_RAW = 200_000;
/** Scripts with data: what a page that is built by scripts is built from may be long. */
const MAX_DATA = 1_000_000;
const DATA = /^\s*(?:application\/(?:[\w.-]+\+)?json\b|math\/tex\b)/i;

/** The attributes anything here looks at. */
const KEPT = new Set(
  (
    'id class style hidden aria-hidden aria-label role href alt name property content itemprop itemscope ' +
    'itemtype datetime rel type title lang dir ' +
    ('start colspan rowspan open checked http-equiv align src encoding display alttext aria-checked ' +
      'aria-expanded data-lang data-language data-code-marker data-testid')
  ).split(' '),
);
/** Their content is not markup. */
const RAW = new Set('script style title textarea xmp iframe noembed noframes svg'.split(' '));
/** The parser adds the document's skeleton around the result; `plaintext` would swallow the rest. */
const SKIPPED = new Set('html head body frameset plaintext'.split(' '));

const TAG = /<(\/?)([a-z][^\s/>]{0,63})/giy;
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/y;

interface Scan {
  readonly source: string;
  readonly xml: boolean;
  readonly out: string[];
  /** Open elements, the innermost last. */
  readonly open: string[];
  /** Elements left out because they were too deep, by name: their end tags are left out too. */
  readonly tooDeep: Map<string, number>;
  /** Raw elements without an end tag further on; searched once. */
  readonly endless: Set<string>;
  elements: number;
  /** Characters of text there is still room for. */
  room: number;
  /** And of scripts with data and style sheets. */
  data: number;
}

/**
 * Takes time and memory in proportion to the source. Comments, scripts without data and pictures drawn in markup are
 * left out; entities stay as written.
 */
export function boundMarkup(source: string, { xml = false }: { xml?: boolean } = {}): string {
  const scan: Scan = {
    source: source.slice(0, MAX_INPUT),
    xml,
    out: [],
    open: [],
    tooDeep: new Map(),
    endless: new Set(),
    elements: 0,
    room: MAX_TEXT,
    data: 3 * MAX_DATA,
  };
  let at = 0;
  while (at < scan.source.length && scan.room > 0) {
    const next = scan.source.indexOf('<', at);
    const end = next < 0 ? scan.source.length : next;
    if (end > at) text(scan, scan.source.slice(at, end));
    at = next < 0 ? end : markup(scan, next);
  }
  close(scan, scan.open.length);
  return scan.out.join('');
}

/** Long runs of spaces carry nothing, and cost many a regular expression down the line dearly. */
function text(scan: Scan, written: string): void {
  if (written === ' ' && scan.out.at(-1) === ' ') return;
  for (let at = 0; at < written.length && scan.room > 0; at += PIECE) {
    const piece = written.slice(at, at + PIECE).replaceAll(/(\s{60})\s+/g, '$1');
    scan.out.push(piece);
    scan.room -= piece.length + ENTITY_COST * (piece.split('&').length - 1);
  }
}

/** Handles what begins with `<` at `at` and answers where the text goes on. */
function markup(scan: Scan, at: number): number {
  const { source } = scan;
  if (source.startsWith('<!--', at)) return after(source, '-->', at + 2);
  if (source.startsWith('<![CDATA[', at) && scan.xml) return cdata(scan, at);
  if (source.startsWith('<!', at)) return declaration(source, at);
  if (source.startsWith('<?', at)) return after(source, '>', at);
  TAG.lastIndex = at;
  const tag = TAG.exec(source);
  if (!tag) {
    text(scan, '&lt;');
    return at + 1;
  }
  const name = scan.xml ? tag[2]! : tag[2]!.toLowerCase();
  const { attributes, end, selfClosing } = readAttributes(scan, TAG.lastIndex);
  if (tag[1] === '/') endTag(scan, name);
  else return startTag(scan, { name, attributes, end, selfClosing });
  return end;
}

interface Start {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
  readonly selfClosing: boolean;
}

function startTag(scan: Scan, start: Start): number {
  const { name, end } = start;
  if (!scan.xml && RAW.has(name)) return rawElement(scan, start);
  if (!scan.xml && SKIPPED.has(name)) return end;
  if (!scan.xml) close(scan, endedByStart(scan.open, name));
  const empty = scan.xml ? start.selfClosing : VOID.has(name);
  if (scan.elements >= MAX_ELEMENTS || (scan.open.length >= MAX_DEPTH && !empty)) {
    if (!empty) scan.tooDeep.set(name, (scan.tooDeep.get(name) ?? 0) + 1);
    text(scan, ' ');
    return end;
  }
  scan.elements++;
  scan.out.push(written(start), empty && scan.xml ? `</${name}>` : '');
  if (!empty) scan.open.push(name);
  return end;
}

function endTag(scan: Scan, name: string): void {
  const deeper = scan.tooDeep.get(name) ?? 0;
  if (deeper > 0) scan.tooDeep.set(name, deeper - 1);
  else close(scan, endedByEnd(scan.open, name, scan.xml));
}

function close(scan: Scan, count: number): void {
  for (let left = count; left > 0; left--) scan.out.push(`</${scan.open.pop()!}>`);
}

/**
 * Data of a script, a style sheet and the title are kept; the rest of what is not markup is not text for people either.
 */
function rawElement(scan: Scan, start: Start): number {
  const { name, end } = start;
  const closing = scan.endless.has(name) ? -1 : searchFrom(scan.source, new RegExp(`</${name}(?=[\\s/>])`, 'gi'), end);
  if (closing < 0) scan.endless.add(name);
  // An endless script or style sheet swallows the rest, as in a browser; an endless picture does not.
  if (closing < 0 && name === 'svg') return end;
  const content = scan.source.slice(end, closing < 0 ? scan.source.length : closing);
  const data = name === 'style' || (name === 'script' && DATA.test(start.attributes.get('type') ?? ''));
  if (
    data &&
    content.length <= Math.min(name === 'style' ? MAX_RAW : MAX_DATA, scan.data) &&
    scan.elements < MAX_ELEMENTS
  ) {
    scan.out.push(written(start), content, `</${name}>`);
    scan.data -= content.length;
  }
  const label = name === 'svg' ? start.attributes.get('aria-label') : undefined;
  if (label !== undefined && scan.elements++ < MAX_ELEMENTS)
    scan.out.push(written({ ...start, name: 'span' }), '</span>');
  if (name === 'iframe' && scan.elements++ < MAX_ELEMENTS) scan.out.push(embedded(start));
  if (name === 'title' && scan.elements < MAX_ELEMENTS)
    scan.out.push('<title>', content.slice(0, MAX_VALUE).replaceAll('<', '&lt;'), '</title>');
  if (name === 'xmp') scan.out.push('<pre>', content.slice(0, MAX_RAW).replaceAll('<', '&lt;'), '</pre>');
  if (data || name === 'title' || name === 'xmp') scan.elements++;
  return closing < 0 ? scan.source.length : after(scan.source, '>', closing);
}

/** A page inside the page, if it has a name: a link to it, hidden where it was. */
function embedded({ attributes }: Start): string {
  const [title, src] = [attributes.get('title'), attributes.get('src')];
  if (!title || !src) return '';
  const kept = [...attributes].filter(([name]) => name !== 'title' && name !== 'src');
  return `<p>${written({ name: 'a', attributes: new Map([...kept, ['href', src]]), end: 0, selfClosing: false })}${title.replaceAll('<', '&lt;')}</a></p>`;
}

function readAttributes(
  scan: Scan,
  from: number,
): { attributes: ReadonlyMap<string, string>; end: number; selfClosing: boolean } {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(scan.source);
    if (!found) break;
    at = ATTRIBUTE.lastIndex;
    const name = scan.xml ? found[1]! : found[1]!.toLowerCase();
    const value = found[2] ?? found[3] ?? found[4] ?? '';
    if (
      (scan.xml ? /^[\w:.-]+$/.test(name) : KEPT.has(name)) &&
      attributes.size < MAX_ATTRIBUTES &&
      value.length <= MAX_VALUE &&
      !attributes.has(name)
    )
      attributes.set(name, value);
  }
  const end = searchFrom(scan.source, />/g, at);
  return {
    attributes,
    end: end < 0 ? scan.source.length : end + 1,
    selfClosing: end > 0 && scan.source[end - 1] === '/',
  };
}

const written = ({ name, attributes }: Start): string =>
  `<${name}${[...attributes].map(([key, value]) => ` ${key}="${value.replaceAll('"', '&quot;')}"`).join('')}>`;

function cdata(scan: Scan, at: number): number {
  const end = after(scan.source, ']]>', at);
  text(
    scan,
    scan.source
      .slice(at + 9, scan.source.startsWith(']]>', end - 3) ? end - 3 : end)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;'),
  );
  return end;
}

/** A DOCTYPE may carry an internal subset between brackets; the entities it defines are never expanded. */
function declaration(source: string, at: number): number {
  const bracket = source.indexOf('[', at);
  const end = source.indexOf('>', at);
  return bracket >= 0 && bracket < end ? after(source, ']>', bracket) : after(source, '>', at);
}

/** Behind the next `mark`, or the end of the source. */
function after(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found < 0 ? source.length : found + mark.length;
}

function searchFrom(source: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(source)?.index ?? -1;
}
