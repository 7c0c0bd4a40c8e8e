// When HEARTBEAT.md asks for nothing, and the model need not be asked either.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STARTER_FILES } from '../../agent/workspace/starter-files.ts';
import { hasNoTasks } from './empty-file.ts';

const NOTHING: readonly string[] = [
  '',
  ' ',
  '\n\n',
  '\uFEFF',
  '\t\n \n',
  '# Tasks',
  '###### deep',
  '#',
  '##   ',
  '  # indented',
  '# One\n\n## Two\n',
  '# One\r\n\r\n## Two\r\n',
  '-',
  '*',
  '+',
  '- ',
  '1.',
  '2)',
  '- [ ]',
  '- [x]',
  '* [ ] ',
  '1. [ ]',
  '[ ]',
  '---',
  '***',
  '_____',
  '```\n```',
  '~~~\n~~~',
  '<!-- nothing -->',
  '<!-- two\nlines -->',
  '# A\n<!-- - task in a comment -->\n- \n',
  '<!-- open for ever\n- task',
  '<!----><!-- x -->',
  '<!-- a --> <!-- b -->',
  '<!-->-->',
];
const SOMETHING: readonly string[] = [
  'look at mail',
  '- look at mail',
  '* x',
  '1. x',
  '- [ ] x',
  '- [x] done?',
  '#tag',
  '####### seven',
  '# A\nlook',
  '<!-- c --> look',
  'look <!-- c -->',
  '<!-- a -->\n- b\n<!-- c -->',
  '<p></p>',
  '> quote',
  '- - x',
  '.',
  '0',
  '```\nlook\n```',
  '\\# no heading',
  '**',
  '-- >',
];

describe('HEARTBEAT.md', () => {
  for (const text of NOTHING)
    it(`asks for nothing: ${JSON.stringify(text)}`, () => assert.equal(hasNoTasks(text), true));
  for (const text of SOMETHING)
    it(`asks for something: ${JSON.stringify(text)}`, () => assert.equal(hasNoTasks(text), false));

  it('of a new workspace asks for nothing, so that a fresh install costs no model call', () => {
    assert.equal(hasNoTasks(STARTER_FILES.find(({ name }) => name === 'HEARTBEAT.md')!.text), true);
  });

  it('of any length is read in one pass', () => {
    assert.equal(hasNoTasks('<!-- x --> '.repeat(50_000)), true);
    assert.equal(hasNoTasks('<!--'.repeat(100_000)), true);
    assert.equal(hasNoTasks(`${'# h\n- \n'.repeat(50_000)}look`), false);
    assert.equal(hasNoTasks(`#${' '.repeat(500_000)}`), true);
    assert.equal(hasNoTasks(`${'-'.repeat(500_000)}x`), false);
  });
});
