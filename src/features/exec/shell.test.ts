// Whether a command runs, is asked about or is refused, through the real shell with real processes: settings, call,
// approvals file, elevation and answer.
import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import type { ApprovalDecision } from '../../core/approval.ts';
import type { ShellOutcome, ShellRequest } from '../../core/shell.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { realShell, type RealShell, type RealShellOptions } from '../../testing/real-shell.ts';

const SECURITY = ['deny', 'allowlist', 'full'];
const ASK = ['off', 'on-miss', 'always'];
/**
 * Proven and harmless; proven and on the allowlist; proven and on no list; not proven although its program is on the
 * list.
 */
const COMMANDS = {
  harmless: 'echo x',
  allowed: 'touch a',
  unlisted: 'mkdir -p b',
  unproven: 'touch "$HOME/c"',
} as const;

interface Asked extends RealShellOptions {
  readonly real: RealShell;
  readonly call?: Partial<ShellRequest>;
  readonly answer?: (id: string) => void;
}

/** `ran`, `ask → …`, or the code and the reason of the refusal. */
async function outcome(
  command: string,
  { real, call, answer = (id) => void real.pending.resolve(id, 'deny', 'me'), ...options }: Asked,
): Promise<string> {
  let asked = '';
  const stop = real.pending.subscribe((news) => {
    if (!('requested' in news)) return;
    asked = 'ask ';
    setImmediate(() => answer(news.requested.id));
  });
  try {
    return (
      asked +
      wordFor(
        await real
          .shellOf('main', options)
          .run({ command, ...call }, { signal: new AbortController().signal, progress: () => undefined }),
        () => asked,
      )
    );
  } finally {
    stop();
  }
}

function wordFor(came: ShellOutcome, asked: () => string): string {
  if (came.kind !== 'refused') return `${asked()}ran`;
  return (
    asked() +
    (came.code === 'denied' ? (/security=deny|allowlist miss/.exec(came.message)?.[0] ?? came.message) : came.code)
  );
}

async function approvalsFile(real: RealShell, file: object | string): Promise<void> {
  await mkdir(dirname(real.approvalsPath), { recursive: true });
  await writeFile(real.approvalsPath, typeof file === 'string' ? file : JSON.stringify(file), { mode: 0o600 });
}

const permitting = async (more: object = {}): Promise<object> => ({
  version: 1,
  agents: { main: { ...more, allowlist: [{ pattern: await realpath('/usr/bin/touch') }] } },
});

describe('a program that is not there', { skip: process.platform === 'win32' }, () => {
  it('is an error at once, and nobody is asked; where the line counts on that or makes it, somebody is', async () => {
    await using real = await realShell({ security: 'allowlist', ask: 'on-miss' });
    for (const line of [
      'nosuchprogram --version',
      './nosuch.sh',
      'ls | nosuchprogram',
      'nosuchprogram && touch a',
      'nosuchprogram; true',
      'timeout 5 nosuchprogram',
      'cd / && nosuchprogram',
    ])
      assert.equal(await outcome(line, { real }), 'not-started', line);
    for (const line of [
      'nosuchprogram || true',
      '! nosuchprogram',
      'touch a && nosuchprogram',
      'cd / && nosuchprogram || true',
      'cd nowhere || nosuchprogram',
      'ls && nosuchprogram',
      'cp /bin/true x && ./x',
      'nosuchprogram $(date)',
    ])
      assert.equal(await outcome(line, { real }), 'ask user-denied', line);
    assert.equal(
      await outcome('nosuchprogram', { real, settings: { security: 'full', ask: 'off' } }),
      'ran',
      'the shell says so itself',
    );
  });
});

describe('what is in force for a command', { skip: process.platform === 'win32' }, () => {
  it('T50 T53 T54 T55 security × ask × command × elevation', async () => {
    await using real = await realShell();
    await approvalsFile(real, await permitting());
    const table: Record<string, string> = {};
    for (const level of ['off', 'ask', 'full'] as const)
      for (const security of SECURITY)
        for (const ask of ASK) {
          const row: string[] = [];
          for (const command of Object.values(COMMANDS))
            row.push(
              await outcome(command, { real, settings: { security, ask }, elevation: { allowed: true, level } }),
            );
          table[`${level} ${security} ${ask}`] = row.join(', ');
        }
    const [denied, asked, ran] = [
      'security=deny, security=deny, security=deny, security=deny',
      'ask user-denied',
      'ran, ran, ran, ran',
    ];
    const everything = [asked, asked, asked, asked].join(', ');
    const evaluated = {
      'deny off': denied,
      'deny on-miss': denied,
      'deny always': denied,
      'allowlist off': 'ran, ran, allowlist miss, allowlist miss',
      'allowlist on-miss': `ran, ran, ${asked}, ${asked}`,
      'allowlist always': everything,
      'full off': ran,
      'full on-miss': ran,
      'full always': everything,
    };
    const under = (level: string, rows: Record<string, string>): [string, string][] =>
      Object.entries(rows).map(([row, came]) => [`${level} ${row}`, came]);
    const free = Object.fromEntries(Object.keys(evaluated).map((row) => [row, row.startsWith('deny') ? denied : ran]));
    assert.deepEqual(
      table,
      Object.fromEntries([...under('off', evaluated), ...under('ask', evaluated), ...under('full', free)]),
    );
  });

  it('T49 the call and the approvals file can only be stricter than the settings', async () => {
    await using real = await realShell();
    const came = (call: Partial<ShellRequest>, settings: Readonly<Record<string, unknown>>) =>
      outcome(COMMANDS.unlisted, { real, call, settings });
    const OPEN = { security: 'full', ask: 'off' };
    const DEFAULT = { security: 'allowlist', ask: 'on-miss' };
    await approvalsFile(real, await permitting());
    for (const [call, settings, says] of [
      [{ security: 'full', ask: 'off' }, DEFAULT, 'ask user-denied'],
      [{ security: 'full' }, { security: 'deny' }, 'security=deny'],
      [{ security: 'deny' }, OPEN, 'security=deny'],
      [{ security: 'allowlist' }, OPEN, 'allowlist miss'],
      [{ ask: 'always' }, OPEN, 'ask user-denied'],
      [{ security: 'allowlist', ask: 'on-miss' }, OPEN, 'ask user-denied'],
      [{ security: 'nonsense', ask: 'never' }, OPEN, 'ran'],
    ] as const)
      assert.equal(await came(call, settings), says, JSON.stringify([call, settings]));
    for (const [file, settings, says] of [
      [{ security: 'full', ask: 'off' }, DEFAULT, 'ask user-denied'],
      [{ security: 'allowlist' }, OPEN, 'allowlist miss'],
      [{ security: 'deny' }, OPEN, 'security=deny'],
      [{ ask: 'always' }, OPEN, 'ask user-denied'],
      [{ security: 'denny' }, OPEN, 'security=deny'],
    ] as const) {
      await approvalsFile(real, await permitting(file));
      assert.equal(await came({}, settings), says, JSON.stringify([file, settings]));
    }
  });

  it('elevated to full asks nobody, and opens nothing that was closed', async () => {
    await using real = await realShell({ security: 'allowlist', ask: 'always' });
    const came = (call: Partial<ShellRequest> = {}) =>
      outcome(COMMANDS.unlisted, { real, call, elevation: { allowed: true, level: 'full' } });
    await approvalsFile(real, await permitting({ security: 'allowlist', ask: 'always' }));
    assert.equal(await came(), 'ran');
    assert.equal(await came({ security: 'deny' }), 'security=deny');
    assert.equal(await came({ ask: 'always' }), 'ask user-denied');
    await approvalsFile(real, await permitting({ security: 'deny' }));
    assert.equal(await came(), 'security=deny');
    await approvalsFile(real, '{ "version": 1, "agents": ');
    const refused = await real
      .shellOf('main', { elevation: { allowed: true, level: 'full' } })
      .run({ command: 'echo x' }, { signal: new AbortController().signal, progress: () => undefined });
    assert.ok(
      refused.kind === 'refused' &&
        /security=deny\. The approvals file .* is not JSON\. No command runs/.test(refused.message),
    );
  });

  it('T59 the answer counts; with none, askFallback', async () => {
    const askClock = createFakeClock();
    await using real = await realShell({}, { askClock });
    const settings = { security: 'allowlist', ask: 'always' };
    const said =
      (decision: ApprovalDecision) =>
      (id: string): void =>
        void real.pending.resolve(id, decision, 'me');
    const silence = (): void => void askClock.advance(120_000);
    await approvalsFile(real, await permitting());
    assert.equal(await outcome(COMMANDS.unproven, { real, settings, answer: said('allow-once') }), 'ask ran');
    assert.equal(await outcome(COMMANDS.unlisted, { real, settings, answer: said('deny') }), 'ask user-denied');
    const table: Record<string, string> = {};
    for (const askFallback of ['deny', 'allowlist', 'full', 'nonsense']) {
      await approvalsFile(real, await permitting({ askFallback }));
      const row: string[] = [];
      for (const command of Object.values(COMMANDS))
        row.push(await outcome(command, { real, settings, answer: silence }));
      table[askFallback] = row.join(', ').replaceAll('ask ', '');
    }
    const no = 'approval-timeout';
    assert.deepEqual(table, {
      deny: `${no}, ${no}, ${no}, ${no}`,
      allowlist: `ran, ran, ${no}, ${no}`,
      full: 'ran, ran, ran, ran',
      nonsense: `${no}, ${no}, ${no}, ${no}`,
    });
    await approvalsFile(real, await permitting());
    const onMiss = { security: 'allowlist', ask: 'on-miss' };
    assert.equal(await outcome(COMMANDS.unlisted, { real, settings: onMiss, answer: said('allow-always') }), 'ask ran');
    assert.equal(
      await outcome(COMMANDS.unlisted, { real, settings: onMiss }),
      'ran',
      'the second one is not asked about',
    );
  });

  it('T5 T6 elevation that is not there: aloud when asked for, silent when it is only the default', async () => {
    await using real = await realShell();
    const message = 'elevated is not available right now';
    assert.equal(
      await outcome('echo x', {
        real,
        call: { elevated: true },
        elevation: { allowed: false, level: 'off', failing: [], message },
      }),
      'elevated-unavailable',
    );
    assert.equal(await outcome('echo x', { real, elevation: { allowed: true, level: 'off' } }), 'ran');
  });
});

describe('how long a command keeps a call waiting', { skip: process.platform === 'win32' }, () => {
  const run = (real: RealShell, call: Partial<ShellRequest>, options: RealShellOptions = {}) =>
    real
      .shellOf('main', options)
      .run({ command: 'sleep 30', ...call }, { signal: new AbortController().signal, progress: () => undefined });
  const timers = (): { readonly waits: number[]; readonly clock: ReturnType<typeof createFakeClock> } => {
    const clock = createFakeClock();
    const waits: number[] = [];
    return {
      waits,
      clock: {
        ...clock,
        setTimeout: (then, ms) => {
          waits.push(ms);
          return clock.setTimeout(then, 0);
        },
      },
    };
  };

  it('T1 T10 T23 yieldMs is kept between 10 and 120000, and means nothing beside background', async () => {
    const { waits, clock } = timers();
    await using real = await realShell({}, { clock });
    const sent = async (call: Partial<ShellRequest>, options?: RealShellOptions): Promise<number | undefined> => {
      waits.length = 0;
      const running = run(real, call, options);
      const nudge = setInterval(() => void clock.advance(0), 5);
      const came = await running;
      clearInterval(nudge);
      assert.ok(came.kind === 'running');
      await real.registry.of('main').remove(came.view.sessionId);
      return waits[0];
    };
    assert.deepEqual(
      [
        await sent({ yieldMs: 1 }),
        await sent({ yieldMs: -5 }),
        await sent({ yieldMs: 0.5 }),
        await sent({ yieldMs: 999_999 }),
        await sent({ yieldMs: 250 }),
        await sent({ yieldMs: Number.NaN }),
      ],
      [10, 10, 10, 120_000, 250, 10_000],
    );
    assert.deepEqual([await sent({}), await sent({}, { settings: { backgroundMs: 40 } })], [10_000, 40]);
    assert.equal(await sent({ background: true, yieldMs: 50 }), undefined, 'no window at all');
  });

  it('T29 a megabyte: the result keeps both ends within outputMaxChars, counts the rest, and the log has all of it', async () => {
    await using real = await realShell();
    const command = `head -c 1000000 /dev/zero | tr '\\0' x | fold -w 99`;
    for (const [settings, max] of [
      [{}, 30_000],
      [{ outputMaxChars: 1000 }, 1000],
    ] as const) {
      const shell = real.shellOf('main', { settings });
      const came = await shell.run({ command }, { signal: new AbortController().signal, progress: () => undefined });
      assert.ok(came.kind === 'ended' && came.kept === true);
      const total = came.view.outputBytes;
      const kept = came.output.replace(/\n?\[… \d+ characters left out …\]\n/, '').length;
      assert.ok(kept <= max && kept > max - 500, `${kept} of ${max}`);
      assert.ok(Math.abs(total - kept - came.cut) <= 1, `${total} = ${kept} + ${came.cut}`);
      assert.equal(came.view.truncated, false, 'nothing of it is lost: the log has it');
      const log = await shell.processes.log(came.view.sessionId, { limit: 1 });
      assert.ok(typeof log === 'object' && log.totalChars === total && log.droppedBytes === 0);
    }
  });
});
