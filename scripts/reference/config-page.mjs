/** Generates docs/reference/config.md from the configuration schema. */
import { z } from 'zod';
import { findFeatures } from '../../src/plugins/find-features.ts';
import { withFeatures } from '../../src/schema.ts';
import { fields } from './json-schema.mjs';
import { code, page, table } from './markdown.mjs';

export async function configPage() {
  const schema = z.toJSONSchema(withFeatures(await findFeatures()), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
  });
  const sections = Object.entries(schema.properties)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, slice]) => section(key, slice));
  return page(
    {
      title: 'Configuration',
      summary: 'Every setting of clawdbot.json with its type, default and meaning',
      readWhen: ['you look for a setting', 'the gateway names a path in the configuration'],
      from: 'the schemas in `src/*/config.ts`',
    },
    `\`~/.clawdbot/clawdbot.json\` is JSON5. \`[]\` stands for the items of a list, \`<name>\` for a name you choose.

${sections.join('\n\n')}`,
  );
}

/** What a setting says of itself when another release of the product family reads it and this one does not. */
const UNREAD = /^Accepted; no part of this version reads it/;

function section(key, slice) {
  const rows = fields(slice, key);
  const unread = rows.filter((row) => UNREAD.test(row.description));
  const read = rows.filter((row) => !unread.includes(row));
  return [
    `## ${key}`,
    ...(read.length > 0
      ? [
          table(
            ['setting', 'type', 'default', 'meaning'],
            read.map(({ path, type, fallback, description }) => [code(path), code(type), code(fallback), description]),
          ),
        ]
      : []),
    ...(unread.length > 0
      ? [
          'Accepted, because other releases read them, and without effect here: ' +
            `${unread.map((row) => code(row.path)).join(', ')}.`,
        ]
      : []),
  ].join('\n\n');
}
