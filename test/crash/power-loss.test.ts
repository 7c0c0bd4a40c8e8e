/**
 * Power loss during conversations: whatever the file system kept of unsynced writes, no acknowledged message is lost,
 * duplicated or answered out of order. The long run is test/full/power-loss.ts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findProgram } from '../../src/platform/find-program.ts';
import type { Operation, Recording } from '../power-loss/operations.ts';
import { diskImageAt, type Model } from '../power-loss/disk-image.ts';
import { recordRun } from '../power-loss/record.ts';
import { replay } from '../power-loss/replay.ts';
import { dice, isWhole, tableOf, tally } from '../power-loss/tally.ts';
import { readTrace } from '../power-loss/trace.ts';
import { whyNotTraced } from '../security/commands/tracer.ts';

const strace = await findProgram('strace', process.env['PATH']);
const skip = await whyNotTraced(strace);
const CUTS = 3;

describe('a power cut', { skip }, () => {
  it('at any place of a busy run leaves a state on which all promises are kept', async (t) => {
    const recording = await recordRun(strace!, { chats: 4, each: 6 });
    const rows = await tally(recording, { cuts: CUTS, seed: 20_261_124 });
    for (const line of [`${recording.operations.length} operations`, ...tableOf(rows).split('\n')]) t.diagnostic(line);
    assert.deepEqual(
      rows.flatMap(({ notes }) => notes),
      [],
    );
    assert.ok(rows.every(isWhole));

    // The other side got the first half, and the disk has what was there before the first message.
    const acknowledged = recording.operations.filter(
      (operation) => operation.kind === 'told' && /\{"id":"s\d+-\d+"\}/.test(operation.text),
    );
    const journaled = recording.operations
      .filter(({ kind, begun }) => kind === 'write' && begun < acknowledged[0]!.begun)
      .at(-1)!.begun;
    const { faults } = await replay(recording, {
      cut: journaled - 40,
      heardUntil: acknowledged[11]!.begun,
      model: 'synced',
      random: dice(1),
    });
    assert.ok(
      faults.some((fault) => /has 0 rows/.test(fault)),
      'a disk that lies is found out',
    );
  });
});

describe('what is on the platter', () => {
  const write = (begun: number, file: number, text: string, offset = 0): Operation => ({
    kind: 'write',
    file,
    offset,
    data: Buffer.from(text),
    begun,
    ended: begun,
  });
  const make = (begun: number, path: string, file?: number): Operation => ({
    kind: 'make',
    path,
    file,
    begun,
    ended: begun,
  });
  const sync = (begun: number, ended: number, file?: number, path?: string): Operation => ({
    kind: 'sync',
    file,
    path,
    begun,
    ended,
  });
  const recording = (...operations: Operation[]): Recording => ({ operations, length: 100, before: new Map() });
  const at = (recording: Recording, cut: number, model: Model, random = () => 0): Record<string, string> =>
    Object.fromEntries(
      [...diskImageAt(recording, cut, model, random).files].map(([path, content]) => [path, String(content)]),
    );
  const appended = recording(
    make(1, '/s/a', 0),
    write(2, 0, 'one'),
    sync(3, 5, 0),
    write(4, 0, 'two', 3),
    write(6, 0, 'three', 6),
    { kind: 'rename', path: '/s/a', to: '/s/b', begun: 7, ended: 7 },
    sync(8, 9, undefined, '/s'),
  );

  it('is what a sync that ended covers: what was written before it began', () => {
    assert.deepEqual(at(appended, 4, 'synced'), {}, 'it has not ended');
    assert.deepEqual(at(appended, 6, 'synced'), { '/s/a': 'one' }, 'not what was written meanwhile');
    assert.deepEqual(at(appended, 9, 'synced'), { '/s/b': 'one' });
  });

  it('may be the beginning of the rest, any pages of it, or less of the names', () => {
    assert.deepEqual(
      at(appended, 8, 'prefix', () => 0.99),
      { '/s/b': 'onetwothree' },
    );
    assert.deepEqual(
      at(appended, 8, 'prefix', () => 0.4),
      { '/s/a': 'onetwo' },
    );
    const pieces = dice(3);
    assert.ok(
      new Set(Array.from({ length: 50 }, () => at(appended, 8, 'pages', pieces)['/s/a'] ?? '-')).has('one\0\0\0three'),
      'the later page without the earlier',
    );
    assert.deepEqual(at(appended, 6, 'names'), {}, 'its folder was not synced');
    assert.deepEqual(at(appended, 9, 'names'), { '/s/b': 'one' });
  });
});

describe('what the recorder reads', () => {
  const hex = (text: string): string => [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16)}`).join('');

  it('is written to the file that got the descriptor, whoever gave it back meanwhile', () => {
    const trace = [
      `11 openat(AT_FDCWD, "${hex('/s/a')}", O_WRONLY|O_CREAT, 0600 <unfinished ...>`,
      '12 close(7)                        = 0',
      '11 <... openat resumed>)           = 7',
      `11 write(7, "${hex('one')}", 3)    = 3`,
    ].join('\n');
    assert.deepEqual(
      readTrace(trace, '/s', []).operations.map(({ kind }) => kind),
      ['make', 'write'],
    );
  });
});
