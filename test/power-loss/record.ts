/**
 * Records a run of the real gateway under strace, with people who write on a channel: changes of its state directory,
 * and sent messages.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { compileCache } from '../../src/testing/compile-cache.ts';
import { readJournal } from '../../src/testing/read-journal.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { openRows } from '../crash/journal.ts';
import { configText } from '../crash/scenario.ts';
import { createFixture, type PlatformMessage } from '../crash/fixture.ts';
import type { Recording } from './operations.ts';
import { readTrace, TRACED } from './trace.ts';
import { built } from '../../src/testing/built.ts';

export interface Run extends Recording {
  readonly folder: string;
  readonly messages: readonly PlatformMessage[];
}

/** Every third message has an effect that can be counted. */
export const loadOf = (chats: number, each: number): PlatformMessage[] =>
  Array.from({ length: chats * each }, (_, index) => {
    const [chat, nth] = [`s${index % chats}`, Math.floor(index / chats)];
    return { id: `${chat}-${nth}`, chat, text: `${chat}-${nth}${nth % 3 === 1 ? ` do ${chat}x${nth}` : ''}` };
  });

export async function recordRun(
  strace: string,
  { chats, each }: { readonly chats: number; readonly each: number },
): Promise<Run> {
  await using dir = await tempDir('power');
  const folder = join(dir.path, 'state');
  mkdirSync(folder, { mode: 0o700 });
  const fixture = await createFixture();
  const messages = loadOf(chats, each);
  try {
    writeFileSync(join(folder, 'clawdbot.json'), configText(fixture.url));
    const before = new Map(readdirSync(folder).map((name) => [join(folder, name), readFileSync(join(folder, name))]));
    const trace = join(dir.path, 'trace');
    const child = spawn(
      strace,
      [
        '-f',
        '--seccomp-bpf',
        '-xx',
        '-s',
        '4000000',
        '-e',
        `trace=${TRACED}`,
        '-e',
        'signal=none',
        '-o',
        trace,
        process.execPath,
        built('test/crash/child.ts'),
        '-',
      ],
      {
        env: {
          ...compileCache,
          PATH: process.env['PATH'],
          HOME: folder,
          CLAWDBOT_STATE_DIR: folder,
          FIXTURE_URL: fixture.url,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      },
    );
    const gone = new Promise((resolve) => child.once('exit', resolve));
    try {
      for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('ready ')) break;
      // In two halves with a rest between them, in which transcripts and stores reach the disk.
      for (const half of [messages.slice(0, messages.length / 2), messages.slice(messages.length / 2)]) {
        const answered = fixture.sends.length + half.length;
        for (const message of half) fixture.unacknowledged.set(message.id, message);
        await until(() => fixture.sends.length >= answered, 'all answers');
        await until(() => fixture.unacknowledged.size === 0 && isOnDisk(folder), 'transcripts and stores');
      }
    } finally {
      process.kill(-child.pid!, 'SIGTERM');
      await gone;
    }
    const { operations, length } = readTrace(readFileSync(trace, 'utf8'), folder, [...before.keys()]);
    return { operations, length, before, folder, messages };
  } finally {
    await fixture.close();
  }
}

/** The lines of every turn are synced, and the store of sessions was written after the last one ended. */
function isOnDisk(folder: string): boolean {
  const store = statSync(join(folder, 'agents', 'main', 'sessions', 'sessions.json'), { throwIfNoEntry: false });
  const { open, ended } = readJournal(folder, (db) =>
    db.prepare('SELECT (SELECT count(*) FROM turn_open) AS open, max(ended_at) AS ended FROM turn').get(),
  ) as { open: number; ended: number };
  return open === 0 && openRows(folder) === 0 && store !== undefined && store.mtimeMs >= ended;
}
