/** Converts Markdown for Discord: headings down to level three, no tables. */
import type { MarkdownDialect } from '../../sdk/markdown.ts';

export const discordDialect: MarkdownDialect = {
  // An asterisk, a bar or a backtick is markup wherever it stands; the others only at the beginning of a line, and
  // where words do not go on around an underscore.
  escape: (text) =>
    text
      .replace(/[\\*`|~]/g, '\\$&')
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      .replace(/^([^\S\n\r\u2028\u2029]*)([#>-]|\d+\.)(?=\s)/gm, '$1\\$2')
      .replace(/<(?=[@#:/a])/g, '\\<'),
  escapeCode: (text) => text.replaceAll('`', 'ˋ'),
  bold: ['**', '**'],
  italic: ['*', '*'],
  strike: ['~~', '~~'],
  code: ['`', '`'],
  codeBlock: (text, language) =>
    `\`\`\`${language && /^[\w+#.-]{1,20}$/.test(language) ? language : ''}\n${text.replaceAll('```', 'ˋˋˋ')}\n\`\`\``,
  link: (label, url) => (label === url || label === '' ? `<${url}>` : `[${label}](<${url.replaceAll('>', '%3E')}>)`),
  autolink: (url) => `<${url.replaceAll('>', '%3E')}>`,
  quote: (text) =>
    text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  heading: (text, level) => `${'#'.repeat(Math.min(3, Math.max(1, level)))} ${text}`,
  bullet: '- ',
  rule: '———',
};
