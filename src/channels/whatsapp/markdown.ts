/** Converts the agent's Markdown to WhatsApp's markup: `*bold*`, `_italic_`, `~struck~`, monospace. Pure. */
import { plainDialect, type MarkdownDialect } from '../../sdk/markdown.ts';

export const whatsappDialect: MarkdownDialect = {
  ...plainDialect,
  bold: ['*', '*'],
  italic: ['_', '_'],
  strike: ['~', '~'],
  code: ['`', '`'],
  codeBlock: (text) => `\`\`\`\n${text.replaceAll('```', '`\u200b``')}\n\`\`\``,
  heading: (text) => `*${text.replaceAll('*', '')}*`,
};
