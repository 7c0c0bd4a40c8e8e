/** One line on a tool as it is used, for people who asked to see it (`/verbose on`). Pure. */

const MAX_CHARS = 160;
/** What says most about a call, in this order. */
const TELLING = ['command', 'path', 'file_path', 'url', 'query', 'pattern', 'action', 'name', 'to'];

/** `🔧 read: notes.md` */
export function toolSummary(tool: string, input: unknown): string {
  const values = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const key = TELLING.find((name) => typeof values[name] === 'string' && values[name] !== '');
  const said = key === undefined ? '' : String(values[key]).replace(/\s+/g, ' ').replaceAll('`', '\'').trim();
  const detail = said.length > MAX_CHARS ? `${said.slice(0, MAX_CHARS).replace(/[\ud800-\udbff]$/, '')}…` : said;
  return `🔧 ${tool}${detail === '' ? '' : `: \`${detail}\``}`;
}
