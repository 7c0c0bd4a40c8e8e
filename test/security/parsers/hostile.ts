/** Texts of any length that begin something again and again, or never end it. */

const repeated = (unit: string, before = '') => (length: number): string => `${before}${unit.repeat(Math.max(1, Math.floor((length - before.length) / unit.length)))}`;
/** As many of one as of the other. */
const nested = (open: string, close: string, inside = 'x') => (length: number): string => {
  const depth = Math.floor(length / (open.length + close.length));
  return open.repeat(depth) + inside + close.repeat(depth);
};
const growing = (unit: (at: number) => string) => (length: number): string => {
  const parts: string[] = [];
  for (let size = 0, at = 0; size < length; at++) size += parts[parts.push(unit(at)) - 1]!.length;
  return parts.join('').slice(0, length);
};

export const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(['a', ' ', '\n', '\r\n', '\t', '[', '[[', '{', '(', '<', '>', '`', '```', '```\n', '~~~\n', '**', '*a', '_a_ ', '"', "'", '\\', '$(', '&&', '; ', '|', '/', '/status ', '/think high ', '@', '<@', '<@1>', '<!', '&amp;', '&', '#', '- ', '1. ', '> ', '\n\n', '|a|b|\n', '![](', '[a](', '[a]: ', 'http://', 'https://a.b/ ', 'a@b.c ', 'MEDIA:', '[[reply_to:', '[embed ref="', '[embed]', '<think>', '</think>', '{"a":', '[1,', '//', '/*', '...', ': ', '=', ',', '%', '${', '{{', '\u0000', '\u001b[', '\u001b]0;', '\u0301', '\u200d', '\u200b', '\ufeff', '\ud83d', '\udc00', '👨‍👩‍👧', 'ﷺ', 'İ', '‹', 'A1b2C3d4', 'key=', 'token: ', 'Bearer ', '*** Update File: a\n@@\n', '@@\n', '-a\n+b\n', 'every ', 'at 7 and ', '1h', '<<E\n', 'for x in a; do ', 'if ', '[Quoting ', '\n\n[Quoting a]\n', ' id:'].map((unit) => [JSON.stringify(unit), repeated(unit)])),
  'brackets that close': nested('[', ']'), 'objects that close': nested('{"a":', '}', '1'), 'lists that close': nested('[', ']', '1'), 'links that close': nested('[', '](http://a.b)'), 'emphasis that closes': nested('*a ', ' b*'), 'parentheses that close': nested('(', ')'), 'commands that close': nested('$(a ', ')'),
  'ticks of every number': growing((at) => `${'`'.repeat((at % 400) + 1)} `), 'stars of every number': growing((at) => `${'*'.repeat((at % 50) + 1)}a`), 'words of every length': growing((at) => `${'a'.repeat(at % 300)} `), 'lines of every indent': growing((at) => `${' '.repeat(at % 200)}- a\n`), 'many keys': growing((at) => `"k${at}": ${at},\n`), 'many links': growing((at) => `https://h${at}.example/${at} `), 'many references': growing((at) => `[r${at}]: http://a.b/${at}\n[r${at}] `),
  'spaces, then a word': (length) => `${' '.repeat(length - 1)}x`, 'a word, then spaces': (length) => `x${' '.repeat(length - 1)}`, 'spaces around a break': repeated(`${' '.repeat(1000)}\n`), 'quote marks by turns': repeated('"\''), 'openers by turns': repeated('([{<'), 'base64': repeated('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0'), 'a command, then words': repeated('word ', '/think high '), 'an open fence': repeated('code\n', '```js\n'), 'an open quotation': repeated('a\n', '[Chat messages since your last reply - for context]\n'),
};
