/** The published package has no types of its own. */
declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';

  const gfm: {
    readonly tables: Plugin;
    readonly strikethrough: Plugin;
    readonly taskListItems: Plugin;
    readonly highlightedCodeBlock: Plugin;
  };
  export default gfm;
}
