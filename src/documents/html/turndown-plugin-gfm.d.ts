/** Types for a package that is published without them. */
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
