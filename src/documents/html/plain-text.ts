/** Converts Markdown to plain text. */

/** Code keeps its characters; a link is its text, a table its cells with tabs between them. */
export function plainText(markdown: string): string {
  return markdown
    .split(/^( *```[^\n]*\n[\s\S]*?^ *```$)/gm)
    .map((part, index) => (index % 2 === 1 ? part.replaceAll(/^ *```.*\n?/gm, '').trimEnd() : prose(part)))
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

const prose = (text: string): string =>
  text
    .replaceAll(/^\|(?: *:?-+:? *\|)+\n?/gm, '')
    .replaceAll(/^\| *(.*?) *\|$/gm, (_line, cells: string) =>
      cells
        .split(/(?<! ) *(?<!\\)\| */)
        .map((cell) => cell.replaceAll('\\|', '|'))
        .join('\t'),
    )
    .replaceAll(/!?\[([^[\]\n]*)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/^#{1,6} +/gm, '')
    .replaceAll(/^> ?/gm, '')
    .replaceAll(/(\*\*|~~)(?=\S)([^\n]*?\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1')
    .replaceAll(/`([^`\n]+)`/g, '$1');
