// The acknowledgement token at the start or end of an answer, in all formats models use; and text that only resembles
// it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAck, stripAck } from './ack.ts';

/** The answer, and what is left of it. */
const STRIPPED: readonly (readonly [string, string])[] = [
  ['HEARTBEAT_OK', ''],
  ['  HEARTBEAT_OK\n', ''],
  ['HEARTBEAT_OK.', ''],
  ['HEARTBEAT_OK!', ''],
  ['HEARTBEAT_OK!!!', ''],
  ['heartbeat_ok', ''],
  ['Heartbeat_OK', ''],
  ['**HEARTBEAT_OK**', ''],
  ['__HEARTBEAT_OK__', ''],
  ['*HEARTBEAT_OK*', ''],
  ['_HEARTBEAT_OK_', ''],
  ['~~HEARTBEAT_OK~~', ''],
  ['**HEARTBEAT_OK**.', ''],
  ['**HEARTBEAT_OK.**', ''],
  ['`HEARTBEAT_OK`', ''],
  ['```\nHEARTBEAT_OK\n```', ''],
  ['```text\nHEARTBEAT_OK\n```', ''],
  ['"HEARTBEAT_OK"', ''],
  ['“HEARTBEAT_OK”', ''],
  ['„HEARTBEAT_OK“', ''],
  ['(HEARTBEAT_OK)', ''],
  ['[HEARTBEAT_OK]', ''],
  ['<b>HEARTBEAT_OK</b>', ''],
  ['<p><strong>HEARTBEAT_OK</strong></p>', ''],
  ['<span class="x">HEARTBEAT_OK</span>', ''],
  ['HEARTBEAT_OK&nbsp;', ''],
  ['<br>HEARTBEAT_OK<br/>', ''],
  ['> HEARTBEAT_OK', ''],
  ['- HEARTBEAT_OK', ''],
  ['# HEARTBEAT_OK', ''],
  ['✅ HEARTBEAT_OK', ''],
  ['HEARTBEAT_OK 👍', ''],
  ['HEARTBEAT_OK HEARTBEAT_OK', ''],
  ['HEARTBEAT_OK\n\nHEARTBEAT_OK', ''],
  ['\u200bHEARTBEAT_OK', ''],
  ['HEARTBEAT_OK all fine', 'all fine'],
  ['HEARTBEAT_OK: all fine', 'all fine'],
  ['HEARTBEAT_OK - all fine', 'all fine'],
  ['HEARTBEAT_OK – all fine', 'all fine'],
  ['**HEARTBEAT_OK** all fine', 'all fine'],
  ['**HEARTBEAT_OK**: all fine', 'all fine'],
  ['**HEARTBEAT_OK – all fine**', '**all fine**'],
  ['<b>HEARTBEAT_OK</b> all fine', 'all fine'],
  ['<p>HEARTBEAT_OK. All fine</p>', '<p>All fine</p>'],
  ['HEARTBEAT_OK\n\n- one\n- two', '- one\n- two'],
  ['HEARTBEAT_OK\n# Heading', '# Heading'],
  ['All fine. HEARTBEAT_OK', 'All fine.'],
  ['All fine.\n\n**HEARTBEAT_OK**', 'All fine.'],
  ['All fine. `HEARTBEAT_OK`.', 'All fine.'],
  ['**All fine. HEARTBEAT_OK**', '**All fine.**'],
  ['All fine (HEARTBEAT_OK)', 'All fine'],
  ['<p>All fine</p>\n<p>HEARTBEAT_OK</p>', '<p>All fine</p>'],
  ['All fine\nHEARTBEAT_OK ✅', 'All fine'],
  ['HEARTBEAT_OK\nAll fine\nHEARTBEAT_OK', 'All fine'],
  ['Mail: none. Calendar: none.\nHEARTBEAT_OK!', 'Mail: none. Calendar: none.'],
];

/** Ordinary text, word for word. */
const KEPT: readonly string[] = [
  '',
  '   ',
  'All fine.',
  'I answer HEARTBEAT_OK when nothing is up, but the rent is due.',
  'The word HEARTBEAT_OK means that all is well',
  'HEARTBEAT_OKAY',
  'HEARTBEAT_OK_DONE',
  'MY_HEARTBEAT_OK',
  'XHEARTBEAT_OK',
  'HEARTBEAT_OKs',
  'HEARTBEAT OK',
  'HEARTBEAT-OK',
  'HEARTBEATOK',
  'HEARTBEAT_OK2',
  'NOT_HEARTBEAT_OK',
  'ÄHEARTBEAT_OK',
  'The server said HEARTBEAT_OK twice',
  'Rent is due. (HEARTBEAT_OK otherwise) Pay it.',
];

describe('the word for "nothing needs you"', () => {
  for (const [answer, rest] of STRIPPED)
    it(JSON.stringify(answer), () => {
      assert.deepEqual(stripAck(answer), { found: true, text: rest });
      assert.equal(isAck(answer, 300), true);
    });

  for (const answer of KEPT)
    it(`is not ${JSON.stringify(answer)}`, () => {
      assert.deepEqual(stripAck(answer), { found: false, text: answer.trim() });
      assert.equal(isAck(answer, 300), false);
    });

  it('T167 T169: beside it as much may stand as is configured, markup not counted; a file always has to be seen', () => {
    const beside = (count: number): string => `HEARTBEAT_OK ${'x'.repeat(count)}`;
    assert.deepEqual(
      [isAck(beside(300), 300), isAck(beside(301), 300), isAck(beside(10), 10), isAck(beside(11), 10)],
      [true, false, true, false],
    );
    assert.deepEqual(
      [isAck('HEARTBEAT_OK', 0), isAck('**HEARTBEAT_OK**', 0), isAck('HEARTBEAT_OK.', 0), isAck('HEARTBEAT_OK k', 0)],
      [true, true, true, false],
    );
    assert.equal(isAck(`HEARTBEAT_OK **${'x'.repeat(300)}**`, 300), true);
    assert.equal(isAck('HEARTBEAT_OK\nMEDIA:chart.png', 300), false);
    assert.equal(isAck('MEDIA: /tmp/a.png\nHEARTBEAT_OK', 300), false);
  });

  it('is looked for at the edges alone, so that long and hostile text holds nobody up', () => {
    const long = (part: string): string => part.repeat(Math.ceil(200_000 / part.length));
    for (const part of ['<a ', 'x ', '" x', '*x', '&nbsp']) {
      assert.equal(stripAck(`${long(part)}HEARTBEAT_OK${long(part)}`).found, false, part);
      assert.equal(isAck(`HEARTBEAT_OK${long(` ${part}`)}`, 300), false, part);
    }
    assert.equal(isAck(long('HEARTBEAT_OK '), 300), false, 'said for ever it is no answer');
    assert.equal(stripAck(`${long('*')}HEARTBEAT_OK`).found, true);
  });
});
