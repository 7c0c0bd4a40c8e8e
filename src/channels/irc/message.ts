/** Parses and formats IRC lines with IRCv3 tags. Pure. */

export interface IrcMessage {
  readonly tags: ReadonlyMap<string, string>;
  /** `nick!user@host` of who it comes from, or a server's name. */
  readonly source: string;
  readonly nick: string;
  /** In capitals, or three digits. */
  readonly command: string;
  readonly params: readonly string[];
}

const ESCAPES: Readonly<Record<string, string>> = { ':': ';', s: ' ', r: '\r', n: '\n', '\\': '\\' };
const MAX_PARAMS = 60;

const LINE = /^(?:@(\S+) +)?(?::(\S+) +)?([A-Za-z]+|\d{3})(?: +(.*))?$/s;

/** Undefined: no line of the protocol. */
export function readLine(line: string): IrcMessage | undefined {
  const found = LINE.exec(withoutEnd(line));
  if (!found) return undefined;
  const [, tags = '', source = '', command = '', rest = ''] = found;
  return {
    tags: tagsOf(tags),
    source,
    nick: source.split('!', 1)[0]!,
    command: command.toUpperCase(),
    params: paramsOf(rest),
  };
}

function tagsOf(text: string): ReadonlyMap<string, string> {
  const tags = new Map<string, string>();
  for (const tag of text.split(';')) {
    const [name = '', ...value] = tag.split('=');
    if (name !== '')
      tags.set(
        name,
        value.join('=').replace(/\\(.?)/gs, (_, char: string) => ESCAPES[char] ?? char),
      );
  }
  return tags;
}

function paramsOf(rest: string): readonly string[] {
  const params: string[] = [];
  let left = rest;
  while (left !== '' && params.length < MAX_PARAMS) {
    if (left.startsWith(':')) return [...params, left.slice(1)];
    const [word = ''] = left.split(' ', 1);
    if (word !== '') params.push(word);
    left = left.slice(word.length).replace(/^ +/, '');
  }
  return params;
}

/** A line without its end; nothing in it can begin another one. */
export function writeLine(
  command: string,
  params: readonly string[] = [],
  tags: Readonly<Record<string, string | undefined>> = {},
): string {
  const words = params.map((param, at) => {
    const clean = param.replace(/[\r\n\0]+/g, ' ');
    return at === params.length - 1 && (clean === '' || clean.includes(' ') || clean.startsWith(':'))
      ? `:${clean}`
      : clean.replaceAll(' ', '');
  });
  const tagged = Object.entries(tags).flatMap(([name, value]) =>
    value === undefined ? [] : [value === '' ? name : `${name}=${escapeTag(value)}`],
  );
  return `${tagged.length > 0 ? `@${tagged.join(';')} ` : ''}${[command, ...words].join(' ')}`;
}

const escapeTag = (value: string): string =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\:')
    .replaceAll(' ', '\\s')
    .replaceAll('\r', '\\r')
    .replaceAll('\n', '\\n');

function withoutEnd(line: string): string {
  let end = line.length;
  while (end > 0 && '\r\n'.includes(line[end - 1]!)) end--;
  return line.slice(0, end);
}
