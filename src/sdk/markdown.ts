/**
 * Markdown as a model writes it → a platform's own markup: one parsed tree, walked over a dialect that is data. Loads
 * markdown-it: import it from what `connect` loads.
 */
export type { MarkdownDialect, TableMode } from './markdown/dialect.ts';
export { plainDialect } from './markdown/dialect.ts';
export { renderMarkdown } from './markdown/render.ts';
