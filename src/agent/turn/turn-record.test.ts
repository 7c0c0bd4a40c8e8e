/**
 * The record of a turn: after a stop, every call has a result in the transcript and the journal, in any state of an
 * earlier run.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { noUsage, type AssistantMessage, type ToolResultMessage } from '../../core/transcript.ts';
import { createJournal } from '../../journal/create-journal.ts';
import { openTranscript } from '../../sessions/transcript.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createTurnRecord } from './turn-record.ts';

const answer = (
  content: AssistantMessage['content'],
  stopReason: AssistantMessage['stopReason'] = 'stop',
): AssistantMessage => ({
  role: 'assistant',
  content,
  timestamp: 1,
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason,
});
const call = (id: string) => ({ type: 'toolCall' as const, id, name: 'write', arguments: {} });
const start = (callId: string) => ({ callId, tool: 'write', input: {}, readOnly: false });
const result = (toolCallId: string): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'write',
  content: [],
  isError: false,
  timestamp: 1,
});

async function harness() {
  const dir = await tempDir('turn-record');
  const journal = createJournal({ path: join(dir.path, 'journal.sqlite') });
  const transcript = await openTranscript(
    { path: join(dir.path, 's.jsonl'), sessionId: 's', sessionKey: 'k', cwd: '' },
    silentLog,
  );
  return {
    journal,
    instance: async (suspended = false) =>
      createTurnRecord({
        turnId: 't',
        journal,
        transcript,
        recall: await journal.turns.recall('t'),
        takeSteeredSeqs: () => [],
        suspended: () => suspended,
        checkpoint: () => {},
        onWriteError: (error) => assert.fail(String(error)),
      }),
    lines: () =>
      transcript.lines.map((line) =>
        line.type !== 'message'
          ? line.type
          : line.message.role === 'toolResult'
            ? `result ${line.message.toolCallId}`
            : line.message.role,
      ),
    async [Symbol.asyncDispose]() {
      await transcript.close();
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('a turn that is stopped before it went over what an earlier run did', () => {
  it('keeps that, and tells that the outcome of what ran is unknown', async () => {
    await using s = await harness();
    const first = await s.instance();
    await first.steps.modelFinished(0, answer([call('x'), call('y')]), [start('x'), start('y')]);
    await first.steps.toolFinished(result('x'), 1);
    const second = await s.instance();
    await second.catchUp();
    await second.finish();
    assert.deepEqual(s.lines(), ['assistant', 'result x', 'result y']);
    assert.match(JSON.stringify((await s.journal.turns.recall('t')).tools.get('y')), /unknown/);
  });

  it('keeps what was handed over for an answer that never came', async () => {
    await using s = await harness();
    const first = await s.instance();
    await first.steps.modelFinished(0, answer([call('x')]), [start('x')]);
    await first.steps.toolFinished(result('x'), 1);
    await s.journal.turns.steered(
      't',
      1,
      [{ role: 'user', content: [{ type: 'text', text: 'and quickly' }], timestamp: 1 }],
      [],
    );
    const second = await s.instance();
    await second.catchUp();
    await second.finish();
    assert.deepEqual(s.lines(), ['assistant', 'result x', 'user']);
  });

  it('leaves it for the next run when the process is going', async () => {
    await using s = await harness();
    await (await s.instance()).steps.modelFinished(0, answer([call('x')]), [start('x')]);
    await (await s.instance(true)).catchUp();
    assert.equal((await s.journal.turns.recall('t')).tools.get('x'), 'unknown');
  });
});

describe('half an answer', () => {
  it('is not taken for a whole one by the next run', async () => {
    await using s = await harness();
    await (await s.instance()).steps.modelFinished(
      0,
      answer([{ type: 'text', text: 'The answer is not' }], 'error'),
      [],
    );
    assert.equal((await s.instance()).steps.recalledModel(0), undefined);
  });
});
