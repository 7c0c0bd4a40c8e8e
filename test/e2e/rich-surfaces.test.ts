/** An answer with directives on every channel and client: the same text, and never a directive. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { built } from '../../src/testing/built.ts';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { desks } from '../fixtures/desk-channel/index.ts';

const TOKEN = 'test-token-of-sufficient-length';
const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

/** As the model writes it → the words; files come beside them. */
const ANSWERS: readonly (readonly [written: string, words: string])[] = [
  ['Plain words.', 'Plain words.'],
  ['[[reply_to_current]] Hello', 'Hello'],
  ['Hello [[audio_as_voice]] world', 'Hello world'],
  ['See this.\nMEDIA:a.txt\n\nDone.', 'See this.\n\nDone.'],
  ['[[reply_to:x]]Look: [embed url="https://example.com/x" title="Site" /]', 'Look:\nSite: https://example.com/x'],
  ['No: MEDIA:none.png\nMEDIA:none.png', 'No: MEDIA:none.png\n(none.png was not sent: the file does not exist.)'],
  ['Code:\n```\nMEDIA:a.txt\n[[reply_to_current]]\n```', 'Code:\n```\nMEDIA:a.txt\n[[reply_to_current]]\n```'],
  ['NO_REPLY\nMEDIA:a.txt', ''],
];

/** What a client of the OpenAI family puts together from the parts of a streamed completion. */
const streamedText = (body: string): string =>
  [...body.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, frame]) => JSON.parse(frame!).choices[0]?.delta?.content ?? '')
    .join('');

/** What `clawdbot chat` writes to its standard output when these lines are all that is said to it. */
function terminalOf({ port }: { readonly port: number }, home: string, lines: readonly string[]): Promise<string> {
  const { PATH = '' } = process.env;
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [built('src/main.ts'), 'chat', '--url', `ws://127.0.0.1:${port}`, '--token', TOKEN, '--session', 'terminal'],
      { env: { ...compileCache, PATH, HOME: home, CLAWDBOT_STATE_DIR: home } },
      (error, stdout, stderr) => (error ? reject(new Error(stderr, { cause: error })) : resolve(stdout)),
    );
    child.stdin!.end(lines.join('\n'));
  });
}

describe('an answer with directives', () => {
  it('has the same words on all surfaces', async () => {
    await using gateway = await startGateway({
      config: {
        plugins: { load: { paths: [PLUGIN] } },
        channels: { desk: { table: 'surfaces', allowFrom: ['ann'] } },
        gateway: { http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } } },
      },
    });
    await using chat = await gateway.connect();
    const desk = await until(() => desks.get('surfaces'), 'the desk');
    await chat.say('hello');
    await writeFile(join(gateway.stateDir, '..', 'clawd', 'a.txt'), 'text');
    const post = async (path: string, body: object): Promise<any> =>
      (await gateway.fetch(path, { method: 'POST', body: JSON.stringify(body) })).json();
    const bare = (text: string): string =>
      text
        .split('\n')
        .filter((line) => line !== '(a.txt is attached in the Control UI.)')
        .join('\n')
        .trim();
    for (const [n, [written, words]] of ANSWERS.entries()) {
      const again = (): void => gateway.models.reply({ text: [...written.match(/[\s\S]{1,5}/g)!] });
      const files = /^MEDIA:a\.txt/m.test(written) && !written.includes('```') ? ['a.txt'] : [];
      const session = `agent:main:s${n}`;
      again();
      const { payload } = await (await chat.send('go', { session })).ended;
      const texts = (content: any[] = []): string => content.map(({ text = '' }) => text).join('');
      assert.equal(texts(payload.message?.content), words, `event of ${written}`);
      assert.deepEqual(
        (payload.message?.files ?? []).map(({ name }: any) => name),
        files,
      );
      const deltas = chat.events.filter(
        ({ event, payload: one }: any) => event === 'chat' && one.state === 'delta' && one.sessionKey === session,
      );
      if (!written.includes('```'))
        for (const { payload: one } of deltas as any[])
          assert.doesNotMatch(texts(one.message.content), /\[\[|\[embed|^MEDIA:/m);
      const { messages } = await chat.call('chat.history', { sessionKey: session });
      assert.equal(texts(messages.at(-1).content), words, `history of ${written}`);
      const { previews } = await chat.call('sessions.preview', { keys: [session] });
      assert.doesNotMatch(JSON.stringify(previews).replaceAll(/```[\s\S]*?```/g, ''), /\[embed|reply_to:x|"MEDIA:/);
      again();
      const completion = await post('/v1/chat/completions', {
        model: 'clawdbot',
        messages: [{ role: 'user', content: 'go' }],
      });
      assert.equal(bare(completion.choices[0].message.content), words, `completion of ${written}`);
      again();
      const streamed = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        body: JSON.stringify({ model: 'clawdbot', stream: true, messages: [{ role: 'user', content: 'go' }] }),
      });
      const parts = await streamed.text();
      assert.equal(bare(streamedText(parts)), words, `streamed completion of ${written}`);
      again();
      const response = await post('/v1/responses', { model: 'clawdbot', input: 'go' });
      assert.equal(
        bare(response.output.map((one: any) => texts(one.content)).join('')),
        words,
        `response of ${written}`,
      );
      again();
      const before = desk.sent.length;
      const run = await chat
        .call('agent', {
          message: 'go',
          sessionKey: `${session}-agent`,
          idempotencyKey: `a${n}`,
          deliver: true,
          channel: 'desk',
          to: 'ann',
        })
        .catch((error: unknown) => error);
      assert.ok(!(run instanceof Error), String(run));
      await until(() => desk.sent.length > before, `the delivery of ${written}`);
      const delivered = desk.sent.slice(before).map(({ message }) => message.payload);
      assert.equal(delivered.map(({ text = '' }) => text).join(''), words, `delivery of ${written}`);
      assert.equal(delivered.flatMap(({ media = [] }) => media).length, files.length);
    }

    // The terminal client: all of them in one conversation, with a line between.
    for (const [written] of ANSWERS)
      gateway.models.reply({ text: [...written.match(/[\s\S]{1,5}/g)!] }, { text: ['=====', '====='] });
    await using home = await tempDir('terminal');
    const shown = await terminalOf(
      gateway.instance,
      home.path,
      ANSWERS.flatMap(() => ['go', 'and on']),
    );
    assert.deepEqual(
      shown
        .split('==========')
        .slice(0, -1)
        .map((text) => text.replaceAll(/^\[file\] a\.txt .*$/gm, '').trim()),
      ANSWERS.map(([, words]) => words),
      'the terminal',
    );
  });
});
