/** Formats the Markdown of the generated reference pages. */

/** A page with front matter and the note that it is generated. `readWhen` is a list of situations. */
export const page = ({ title, summary, readWhen, from }, body) => `---
summary: ${JSON.stringify(summary)}
read_when:
${readWhen.map((line) => `  - ${line}`).join('\n')}
---

# ${title}

<!-- Generated from ${from} by \`node scripts/reference.mjs\`; edits here are lost. -->

${body.trim()}
`;

export const table = (headings, rows) =>
  [headings, headings.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

export const code = (text) => (text === '' ? '' : `\`${text}\``);

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
