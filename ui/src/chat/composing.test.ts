/** Commands, stop words, files, the stored outbox, and timeline arithmetic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completions } from './commands.ts';
import { capacityOf, refusalOf } from './add-files.ts';
import { toAttachment, USUAL_POLICY } from './attachments.ts';
import { fileFacts, fileIcon, fileTitle, voiceNoteName } from './file-kind.ts';
import { createTabStorage } from './tab-storage.ts';
import { isStopWord } from './stop-words.ts';
import { deserialise, serialise, type Outgoing } from './outbox.ts';
import { timelineBars } from './timeline-chart.ts';

test('commands are offered while their name is typed and no longer', () => {
  assert.deepEqual(
    completions('/st').map(({ name }) => name),
    ['/status', '/stop'],
  );
  assert.ok(completions('/').length > 5);
  for (const text of ['', 'hello', '/model gpt', '/status', '/nothing', ' /st'])
    assert.deepEqual(completions(text), [], text);
});

test('words that a command takes are offered after it', () => {
  const offered = (text: string): readonly string[] => completions(text).map(({ name }) => name);
  assert.deepEqual(offered('/verbose o'), ['/verbose off', '/verbose on']);
  assert.deepEqual(offered('/verbose on'), []);
  assert.deepEqual(offered('/config s'), ['/config show', '/config set']);
  for (const text of ['/approve a', '/nothing o', '/verbose on now']) assert.deepEqual(offered(text), [], text);
});

test('stop words', () => {
  for (const text of ['stop', ' Stop! ', 'ABORT', 'please stop.', '/stop', 'wait']) assert.ok(isStopWord(text), text);
  for (const text of ['stop the timer at nine', 'nonstop', '']) assert.ok(!isStopWord(text), text);
});

test('a file that is empty, too large, or too much besides the others is refused with the figures', () => {
  const policy = { maxPayload: 25 * 1024 * 1024, attachments: { maxBytes: 1_000_000 } };
  const held = { src: '', mime: 'text/csv', name: 'b.csv', bytes: 700_000 };
  assert.equal(refusalOf({ name: 'a.pdf', size: 1_000_000 }, [], policy), undefined);
  assert.equal(refusalOf({ name: 'a.pdf', size: 0 }, [], policy), 'a.pdf is empty.');
  assert.equal(
    refusalOf({ name: 'a.mov', size: 23_400_000 }, [], policy),
    'a.mov is too large: 23 MB, the limit per message is 1.0 MB.',
  );
  assert.equal(
    refusalOf({ name: 'a.pdf', size: 300_001 }, [held], policy),
    'a.pdf (300 kB) does not fit: 300 kB of 1.0 MB left. Send it in a separate message.',
  );
});

test('what a message takes fits into one frame as base64, whatever the gateway allows', () => {
  for (const attachments of [{}, { attachments: { maxBytes: 1e9 } }]) {
    const policy = { ...USUAL_POLICY, ...attachments };
    assert.ok(Math.ceil(capacityOf(policy) / 3) * 4 < policy.maxPayload - 50_000);
  }
});

test('a file goes out by its kind, with its content alone', () => {
  const file = { src: 'data:image/png;base64,QUJD', mime: 'image/png', name: 'a.png', bytes: 3 };
  assert.deepEqual(toAttachment(file), { type: 'image', mimeType: 'image/png', fileName: 'a.png', content: 'QUJD' });
  assert.deepEqual(
    ['audio/webm', 'video/mp4', 'text/csv', ''].map(
      (mime) => (toAttachment({ ...file, mime }) as { type: string }).type,
    ),
    ['audio', 'video', 'file', 'file'],
  );
});

test('files are named and measured as people do', () => {
  assert.deepEqual(
    [
      { name: 'a.tar.gz', mime: 'application/gzip', bytes: 820 },
      { name: 'voice-note.webm', mime: 'audio/webm', bytes: 34_200 },
      { name: 'noname', mime: 'application/x-thing' },
    ].map(fileFacts),
    ['GZ · 820 B', 'WEBM · 34 kB', 'THING'],
  );
  assert.deepEqual(
    ['voice-note.webm', 'voice-note-of-mine.txt'].map((name) => fileTitle({ name, mime: '' })),
    ['Voice note', 'voice-note-of-mine.txt'],
  );
  assert.equal(voiceNoteName('audio/ogg'), 'voice-note.ogg');
  assert.deepEqual(
    ['audio/ogg', 'video/mp4', 'text/csv', 'application/zip', 'application/pdf', 'image/heic'].map((mime) =>
      fileIcon({ name: 'x', mime }),
    ),
    ['sound', 'film', 'table', 'archive', 'file', 'image'],
  );
});

test('the outbox survives a reload without what the gateway has', () => {
  const message = (id: string, state: Outgoing['state']): Outgoing => ({
    id,
    sessionKey: 'k',
    text: id,
    files: [{ src: 'data:text/plain;base64,QUJD', mime: 'text/plain', name: 'a.txt', bytes: 3 }],
    at: 1,
    state,
  });
  const back = deserialise(serialise([message('a', 'accepted'), message('b', 'sending'), message('c', 'queued')]));
  assert.deepEqual(
    back.map(({ id, state }) => [id, state]),
    [
      ['b', 'sending'],
      ['c', 'queued'],
    ],
  );
  assert.equal(back[0]!.files[0]!.name, 'a.txt', 'with its file');
  for (const broken of [null, '', '{', '{}', '[1,null,{"id":3}]']) assert.deepEqual(deserialise(broken), []);
});

test('what is too large for the storage of a tab does not push out the rest', () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  } as unknown as Storage;
  const message = (id: string, bytes: number): Outgoing => ({
    id,
    sessionKey: 'k',
    text: id,
    files: [{ src: '', mime: 'video/mp4', name: 'a.mp4', bytes }],
    at: 1,
    state: 'queued',
  });
  const keep = createTabStorage(storage, 'ws://x');
  keep.saveOutbox([message('small', 900), message('large', 9_000_000)]);
  assert.deepEqual(
    keep.outbox().map(({ id }) => id),
    ['small'],
  );
});

test('the timeline spans what lasts and marks what is a moment', () => {
  const { bars, totalMs } = timelineBars([
    { stage: 'model', at: 1020, ms: 60 },
    { stage: 'accepted', at: 1000, ms: 2 },
    { stage: 'answered', at: 1100, ms: 100, ok: true },
    { stage: 'tool', at: 1085, ms: 5, ok: false },
  ]);
  assert.equal(totalMs, 100);
  assert.deepEqual(
    bars.map(({ label, left, width, ms, tone }) => [label, left, width, ms, tone]),
    [
      ['Accepted', 0, 1, undefined, 'plain'],
      ['Model', 20, 60, 60, 'model'],
      ['Tool', 85, 5, 5, 'bad'],
      ['Answered', 99, 1, undefined, 'plain'],
    ],
  );
  assert.deepEqual(timelineBars([]), { bars: [], totalMs: 0 });
  assert.deepEqual(
    timelineBars([
      { stage: 'door', at: 1, ok: false },
      { stage: 'link', at: 2 },
    ]).bars.map(({ success }) => success),
    ['passed', 'success'],
    'a door lets pass, a reader gives text',
  );
});

test('links and attachments last, and one that gave nothing warns without being a failure', () => {
  const steps = [{ what: 'link-understand', outcome: 'success', chosen: true }] as const;
  const handed = [{ what: 'image', outcome: 'skipped', reason: 'sent to the chat model' }] as const;
  const { bars } = timelineBars([
    { stage: 'link', at: 0, ms: 40, detail: 'https://a.example', ok: true, steps },
    { stage: 'audio', at: 40, ms: 60, ok: false },
    { stage: 'image', at: 40, ok: false, steps: handed },
  ]);
  assert.deepEqual(
    bars.map(({ label, tone, ms, width }) => [label, tone, ms, width]),
    [
      ['Link', 'note', 40, 40],
      ['Recording', 'warn', 60, 60],
      ['Picture', 'note', undefined, 1],
    ],
  );
  assert.deepEqual(
    bars.map((bar) => bar.steps),
    [steps, [], handed],
  );
});
