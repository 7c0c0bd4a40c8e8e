/** Generates docs/reference/access.md from the access table. */
import { ACCESS_TABLE } from '../../src/core/access-table.ts';
import { code, page, table } from './markdown.mjs';

const COLUMNS = ['owner', 'delegate', 'operator', 'member', 'visitor', 'program'];
const shown = (cell) =>
  Array.isArray(cell)
    ? cell.map(shown).join(' or ')
    : cell.startsWith('operator.') || cell.startsWith('right:')
      ? code(cell.replace(/^operator\./, ''))
      : cell;

export const accessPage = () =>
  page(
    {
      title: 'Who may do what',
      summary: 'Every verb on every kind of thing, and for whom it is: the table that decides',
      readWhen: [
        'something was refused and names a row',
        'you open something in access.open',
        'you add a thing that somebody could own',
      ],
      from: '`src/core/access-table.ts`',
    },
    [
      'What the columns and cells mean: [trust](../concepts/trust.md). What has no row is for nobody; who ' +
        'asked can be found for nobody: no row holds.',
      table(
        ['thing', 'verb', ...COLUMNS, 'opened by', 'means'],
        ACCESS_TABLE.map(({ kind, verb, cells, opening, means }) => [
          code(kind),
          code(verb),
          ...COLUMNS.map((column) => shown(cells[column])),
          opening ? code(opening) : '',
          means,
        ]),
      ),
    ].join('\n\n'),
  );
