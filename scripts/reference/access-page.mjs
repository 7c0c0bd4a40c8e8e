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
      summary: 'The access table: who may do which action on which kind of resource',
      readWhen: [
        'a refusal names a row of this table',
        'you extend access with access.open',
        'you add a kind of resource that somebody can own',
      ],
      from: '`src/core/access-table.ts`',
    },
    [
      '[Trust](../concepts/trust.md) explains the columns and cells. An action without a row is denied to ' +
        'everybody, and a request without a known requester is always denied.',
      table(
        ['resource', 'verb', ...COLUMNS, 'opened by', 'means'],
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
