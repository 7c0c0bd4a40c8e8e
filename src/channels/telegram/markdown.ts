/** Converts Markdown to Telegram's HTML: few tags, none inside code, three escaped characters. */
import type { MarkdownDialect } from '../../sdk/markdown.ts';

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string): string => escape(text).replaceAll('"', '&quot;');

export const telegramHtml: MarkdownDialect = {
  escape,
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  strike: ['<s>', '</s>'],
  code: ['<code>', '</code>'],
  codeBlock: (text, language) =>
    language
      ? `<pre><code class="language-${quoted(language)}">${escape(text)}</code></pre>`
      : `<pre>${escape(text)}</pre>`,
  link: (label, url) => `<a href="${quoted(url)}">${label === '' ? escape(url) : label}</a>`,
  // Quotations in quotations and bold in bold are refused: the outer one counts. Words people wrote are escaped by now.
  quote: (text) => `<blockquote>${text.replaceAll(/<\/?blockquote>/g, '')}</blockquote>`,
  heading: (text) => `<b>${text.replaceAll(/<\/?b>/g, '')}</b>`,
  bullet: '• ',
  rule: '———',
};
