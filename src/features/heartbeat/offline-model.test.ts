/** What the offline model makes of what heartbeats tell it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { user, answerTo, says, LOCAL_TIME } from '../../providers/offline/fake-triggers.ts';
import { eventTask, tickText } from './tick-text.ts';

const assistant = (text: string): ReturnType<typeof user> => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});

describe('a look around', () => {
  it('needs nobody', async () => {
    assert.equal(
      await says(tickText({ prompt: undefined, file: '- read a.txt', events: false, ...LOCAL_TIME })),
      'HEARTBEAT_OK',
    );
    assert.equal(
      await says(tickText({ prompt: 'Check my mails.', file: undefined, events: false, ...LOCAL_TIME })),
      'HEARTBEAT_OK',
    );
  });
  it('tells what happened since the last answer, and that alone', async () => {
    const runTick = user(tickText({ prompt: undefined, file: undefined, events: true, ...LOCAL_TIME }));
    const { text } = await answerTo([
      user('System event: old'),
      assistant('I saw it.'),
      user('System event: Disk full'),
      user('System event: Reminder: tea'),
      runTick,
    ]);
    assert.equal(text, '📣 Disk full\n⏰ tea');
  });
  it('is not what a person asks about', async () => {
    assert.match(await says('What does HEARTBEAT_OK mean?'), /your message: "What does HEARTBEAT\u200b_OK mean\?"/);
  });
});

describe('something happened', () => {
  it('is relayed in one sentence', async () => {
    assert.equal(await says(`System event: Webhook: Disk\nfull\n\n${eventTask(LOCAL_TIME)}`), '📣 Webhook: Disk full');
    assert.equal(await says(`System event: Reminder: stretch\n\n${eventTask(LOCAL_TIME)}`), '⏰ stretch');
    const { text } = await answerTo([
      user('System event: old'),
      assistant('I saw it.'),
      user('System event: Washing is done'),
      user(`System event: Dryer is done\n\n${eventTask(LOCAL_TIME)}`),
    ]);
    assert.equal(text, '📣 Washing is done\n📣 Dryer is done', 'with what was only noted');
  });
});
