/**
 * Renders the Markdown of a model as a platform's markup: one parsed tree, rendered by a dialect that is data. It loads
 * markdown-it, so import it from what `connect` loads.
 */
export type { MarkdownDialect, TableMode } from './markdown/dialect.ts';
export { plainDialect } from './markdown/dialect.ts';
export { renderMarkdown } from './markdown/render.ts';
