/**
 * The words of an HTML mail: a scanner that runs once over the text, keeps no markup and runs nothing. What a mail
 * hides from its reader is left out, quotations keep their mark. Pure.
 */

/** Their content is nothing people read. */
const UNREAD = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'svg', 'math', 'object', 'iframe']);
const BLOCKS = new Set(
  'p div br tr table ul ol li h1 h2 h3 h4 h5 h6 hr pre blockquote section article header footer dt dd'.split(' '),
);
const EMPTY = new Set('br hr img input meta link area base col embed source track wbr'.split(' '));
const HIDDEN = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])/i;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  euro: '€',
  copy: '©',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
};
const MAX_DEPTH = 200;

interface Scan {
  out: string;
  /** Depth of quotations. */
  quotes: number;
  /** The open element whose content is left out, and how deep in elements of its name. */
  unread?: { readonly name: string; depth: number } | undefined;
  readonly links: { readonly url: string; readonly from: number }[];
}

export function htmlText(html: string): string {
  const scan: Scan = { out: '', quotes: 0, links: [] };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    const end = open < 0 ? html.length : open;
    if (end > at) say(scan, html.slice(at, end));
    if (open < 0) break;
    at = html.startsWith('<!--', open) ? after(html, '-->', open + 4) : tag(scan, html, open);
  }
  return tidy(scan.out);
}

const after = (text: string, sign: string, from: number): number => {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at + sign.length;
};

/** Reads one tag; gives back where it ends. */
function tag(scan: Scan, html: string, open: number): number {
  if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) {
    say(scan, '<');
    return open + 1;
  }
  const end = after(html, '>', open + 1);
  const text = html.slice(open + 1, Math.min(end - 1, open + 4000));
  const name = /^\/?([a-z][a-z0-9]*)/i.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return end;
  if (text.startsWith('/')) closed(scan, name);
  else opened(scan, name, text);
  return end;
}

function opened(scan: Scan, name: string, text: string): void {
  if (scan.unread) {
    if (name === scan.unread.name) scan.unread.depth += 1;
    return;
  }
  const isEmpty = EMPTY.has(name) || text.endsWith('/');
  if (!isEmpty && (UNREAD.has(name) || HIDDEN.test(text) || /\shidden(?:[\s=]|$)/i.test(text))) {
    scan.unread = { name, depth: 1 };
    return;
  }
  if (name === 'blockquote' && scan.quotes < MAX_DEPTH) scan.quotes += 1;
  if (BLOCKS.has(name)) line(scan);
  if (name === 'li') scan.out += '- ';
  if (name === 'td' || name === 'th') scan.out += ' ';
  if (name === 'a' && scan.links.length < MAX_DEPTH)
    scan.links.push({
      url: /\bhref\s*=\s*["']?(https?:[^"'\s>]{1,500})/i.exec(text)?.[1] ?? '',
      from: scan.out.length,
    });
}

function closed(scan: Scan, name: string): void {
  if (scan.unread) {
    if (name === scan.unread.name && --scan.unread.depth === 0) scan.unread = undefined;
    return;
  }
  if (name === 'blockquote' && scan.quotes > 0) scan.quotes -= 1;
  if (BLOCKS.has(name)) line(scan);
  if (name !== 'a') return;
  const link = scan.links.pop();
  // Where a link leads is said beside it: its words can say anything.
  if (link && link.url !== '' && !scan.out.slice(link.from).includes(decoded(link.url)))
    scan.out += ` (${decoded(link.url)})`;
}

function line(scan: Scan): void {
  scan.out += `\n${'> '.repeat(scan.quotes)}`;
}

function say(scan: Scan, raw: string): void {
  if (!scan.unread) scan.out += decoded(raw).replace(/[\s\u00a0]+/g, ' ');
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
      return code > 0x10_ffff || (code < 32 && code !== 10) ? '' : String.fromCodePoint(code);
    },
  );

/** Lines without white space at their ends, at most one blank line between two. */
function tidy(text: string): string {
  const lines = text.split('\n').map((one) => one.replace(/ {2,}/g, ' ').trim());
  const bare = (one: string | undefined): boolean => one === undefined || /^[> ]*$/.test(one);
  return lines
    .filter((one, at) => !bare(one) || !bare(lines[at - 1]))
    .join('\n')
    .trim();
}
