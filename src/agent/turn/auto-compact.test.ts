/** When a conversation is summarized before the next request: by the server's token count and by an estimate. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { defaultKeyRules } from '../../core/session-key.ts';
import { sessionConfigSchema } from '../../sessions/config.ts';
import { storePath } from '../../sessions/paths.ts';
import { createSessions } from '../../sessions/sessions.ts';
import { createSessionStore } from '../../sessions/store.ts';
import { createTranscripts } from '../../sessions/transcripts.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { assistant, candidate, user } from '../../testing/loop-fixture.ts';
import { createMemoryRedo } from '../../testing/memory-redo.ts';
import { says, scriptedModel } from '../../testing/scripted-model.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { autoCompact } from './auto-compact.ts';

const KEY = 'agent:main:main';
const WORDS_TOKENS = 500;

/** A conversation of so many exchanges, some 500 tokens each, whose server counted `counted` tokens. */
async function roomAfter(exchanges: number, counted: number | undefined, contextTokens = 32_000): Promise<boolean> {
  await using dir = await tempDir('room');
  const clock = createFakeClock();
  const where = { stateDir: dir.path, home: dir.path };
  await using transcripts = closing(createTranscripts({ log: silentLog }));
  const path = (agentId: string): string => storePath({ ...where, store: undefined }, agentId);
  await using store = closing(createSessionStore({ path, redo: createMemoryRedo(), log: silentLog, clock }));
  const config = () => ({ ...sessionConfigSchema.parse({}), store: undefined });
  const rules = { config, keyRules: () => defaultKeyRules };
  const sessions = createSessions({ ...where, ...rules, store, transcripts, log: silentLog, now: clock.now });
  await sessions.open(KEY, { channel: 'webchat', cwd: '', personal: true });
  if (counted !== undefined) await sessions.patch(KEY, { totalTokens: counted });
  const session = await sessions.open(KEY, { channel: 'webchat', cwd: '', personal: true });
  for (let n = 0; n < exchanges; n++)
    await session.transcript.append([
      { type: 'message', id: `q${n}`, message: user('word '.repeat((WORDS_TOKENS * 4) / 5)) },
      { type: 'message', id: `a${n}`, message: assistant([{ type: 'text', text: 'ok' }]) },
    ]);
  return await autoCompact(
    {
      session,
      candidate: candidate(scriptedModel([() => says('They talked.')])),
      settings: { reserve: 4_000, keepRecent: 1_000 },
      signal: new AbortController().signal,
      system: 'You help.',
      contextTokens,
      force: false,
      emit: () => undefined,
    },
    { sessions, log: silentLog, clock },
  );
}

const closing = <T extends { close(): Promise<unknown> }>(one: T): T & AsyncDisposable =>
  Object.assign(one, { [Symbol.asyncDispose]: async () => void (await one.close()) });

describe('a conversation is summarised', () => {
  it('when what its server counted touches the reserve', async () => {
    assert.equal(await roomAfter(10, 29_000), true);
    assert.equal(await roomAfter(10, 20_000), false);
  });

  it('by our estimate where the server counted nothing', async () => {
    assert.equal(await roomAfter(70, undefined), true);
    assert.equal(await roomAfter(10, undefined), false);
  });

  it('by our estimate where the count cannot be of this conversation: 103 after 70 long exchanges', async () => {
    assert.equal(await roomAfter(70, 103), true);
    assert.equal(await roomAfter(70, 0), true);
    assert.equal(await roomAfter(10, 103), false);
  });

  it('not for a count that a good tokenizer may come to', async () => {
    assert.equal(await roomAfter(70, 14_000), false);
  });
});
