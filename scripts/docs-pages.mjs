/**
 * Makes the docs pages that live beside the code: the README of every channel, provider, tool and
 * feature that has one.
 *   node scripts/docs-pages.mjs           writes the pages
 *   node scripts/docs-pages.mjs --check   changes nothing; exit code 1 names the pages that would change
 */
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Problem, root, script } from './progress.mjs';

/** One page a folder below `src/<kind>`, and an index. */
const KINDS = [
  {
    kind: 'channels',
    title: 'Channels',
    summary: 'Every channel included in this version',
    when: 'you look for a channel',
  },
  {
    kind: 'providers',
    title: 'Providers',
    summary: 'Every model provider included in this version',
    when: 'you look for a model vendor or server',
  },
  {
    kind: 'tools',
    title: 'Tools',
    summary: 'Every tool included in this version, explained for people',
    when: 'you want to know what the agent can do',
  },
];

await script(async () => {
  const pages = [...KINDS.flatMap(pagesOf), ...globSync('src/features/*/README.md', { cwd: root }).map(featurePage)];
  const drifted = pages.filter(
    ({ path, text }) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text,
  );
  const stray = strayPages(pages.map(({ path }) => path));
  if (process.argv.includes('--check')) {
    const wrong = [...drifted.map(({ path }) => path), ...stray];
    if (wrong.length > 0)
      throw new Problem(`Not what the READMEs say: ${wrong.join(', ')}. Run: node scripts/docs-pages.mjs`);
    return;
  }
  for (const { path, text } of drifted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    console.log(`wrote ${path}`);
  }
  for (const path of stray) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
});

/** A page for each folder, and the index that lists them. */
function pagesOf({ kind, title, summary, when }) {
  const folders = globSync([`src/${kind}/*/`, `src/*/*/${kind}/*/`], { cwd: root })
    .map((path) => path.replaceAll('\\', '/').replace(/\/$/, ''))
    .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  const read = folders.map((folder) => {
    const name = basename(folder);
    const from = `${folder}/README.md`;
    if (!existsSync(join(root, from)))
      throw new Problem(`${from} is missing: every ${kind.slice(0, -1)} explains itself there.`);
    const { matter, title: heading, body } = parse(from);
    if (!matter.summary) throw new Problem(`${from} has no summary in its front matter.`);
    return {
      name,
      heading,
      summary: matter.summary,
      path: `docs/${kind}/${name}.md`,
      text: page({ title: heading, summary: matter.summary, readWhen: matter.read_when, from }, body),
    };
  });
  const list = [
    '| page | what it is about |',
    '| --- | --- |',
    ...read.map(({ name, heading, summary: about }) => `| [${heading}](${name}.md) | ${about} |`),
  ].join('\n');
  return [
    ...read,
    {
      path: `docs/${kind}/index.md`,
      text: page({ title, summary, readWhen: [when], from: `src/${kind}/*/README.md` }, list),
    },
  ];
}

/** The README of a feature says in its front matter where its page lies. */
function featurePage(path) {
  const from = path.replaceAll('\\', '/');
  const { matter, title, body } = parse(from);
  if (!matter.summary || !matter.page) throw new Problem(`${from} needs summary and page in its front matter.`);
  return {
    path: `docs/${matter.page}.md`,
    text: page({ title, summary: matter.summary, readWhen: matter.read_when, from }, body),
  };
}

function page({ title, summary, readWhen, from }, body) {
  return `---
summary: ${JSON.stringify(summary)}
read_when:
${readWhen.map((line) => `  - ${line}`).join('\n')}
---

# ${title}

<!-- Made from \`${from}\` by \`node scripts/docs-pages.mjs\`; edit it there. -->

${body.trim()}
`;
}

/** Front matter (`key: text`, or a list below the key), the first heading, and what follows it. */
function parse(from) {
  const text = readFileSync(join(root, from), 'utf8');
  const [, front = '', rest = text] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const [, title, body] = /^\s*# (.+)\n([\s\S]*)$/.exec(rest) ?? [];
  if (!title) throw new Problem(`${from} does not begin with a heading.`);
  return { matter: { read_when: [], ...readMatter(front) }, title, body };
}

function readMatter(front) {
  const matter = {};
  for (const line of front.split('\n')) {
    const [, key, value] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    if (key === 'read_when') matter.read_when = value ? [unquoted(value)] : [];
    else if (key) matter[key] = unquoted(value);
    else if (/^\s+- /.test(line)) matter.read_when?.push(unquoted(line.replace(/^\s+- /, '')));
  }
  return matter;
}

function unquoted(text) {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text;
}

/** Pages of folders that are gone. */
function strayPages(written) {
  const found = KINDS.flatMap(({ kind }) =>
    existsSync(join(root, 'docs', kind))
      ? readdirSync(join(root, 'docs', kind)).map((name) => `docs/${kind}/${name}`)
      : [],
  );
  return found.filter((path) => path.endsWith('.md') && !written.includes(path));
}
