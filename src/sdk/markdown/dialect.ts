/** The markup of a platform as data: its marks, and its escape rules. */

/** How tables are shown where the platform has none: as they were written, as lists, or in monospace. */
export type TableMode = 'off' | 'bullets' | 'code';

/**
 * A pair is what stands before and after. Everything that is handed to a function but `escape` and `escapeCode` is
 * rendered and escaped already; code and links come raw where said.
 */
export interface MarkdownDialect {
  /** Words as they are meant → as the platform must be given them. */
  escape(text: string): string;
  /** The same for inline code; absent: `escape`. */
  escapeCode?(text: string): string;
  readonly bold: readonly [string, string];
  readonly italic: readonly [string, string];
  readonly strike: readonly [string, string];
  readonly code: readonly [string, string];
  /** `text` comes raw, without the last line break: the dialect escapes. */
  codeBlock(text: string, language?: string): string;
  /** `label` is rendered, `url` raw; its scheme is http, https, mailto or tel. */
  link(label: string, url: string): string;
  /** An address that stands in the text by itself; absent: a link whose label it is. */
  autolink?(url: string): string;
  /** Rendered lines → as a quotation. */
  quote(text: string): string;
  /** `level` 1 to 6. */
  heading(text: string, level: number): string;
  readonly bullet: string;
  readonly rule: string;
}

const bare = ['', ''] as const;

/** The words alone: for platforms without markup, and for what must stay readable when markup was refused. */
export const plainDialect: MarkdownDialect = {
  escape: (text) => text,
  bold: bare,
  italic: bare,
  strike: bare,
  code: bare,
  codeBlock: (text) => text,
  link: (label, url) => (label === url || label === '' ? url : `${label} (${url})`),
  autolink: (url) => url,
  quote: (text) =>
    text
      .split('\n')
      .map((line) => (line === '' ? '>' : `> ${line}`))
      .join('\n'),
  heading: (text) => text,
  bullet: '• ',
  rule: '———',
};
