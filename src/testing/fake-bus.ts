/** A real `dbus-daemon` of its own for a test, and services on it that answer as a test says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openBus, type Bus } from '../platform/dbus/bus.ts';
import type { DbusMessage } from '../platform/dbus/messages.ts';
import { findProgram } from '../platform/exec.ts';
import { tempDir } from './temp-dir.ts';

export const hasDbus = (await findProgram('dbus-daemon', process.env['PATH'])) !== undefined;

/** What a method returns: signature and values; an error by its name. */
export type Answer = readonly [signature: string, body: readonly unknown[]] | { readonly error: string };

export interface FakeService {
  readonly bus: Bus;
  readonly calls: DbusMessage[];
}

export interface TestBus extends AsyncDisposable {
  readonly address: string;
  /** Owns a name; answers by `interface.member` without its prefix, or member alone. */
  serve(name: string, answer: (call: DbusMessage, bus: Bus) => Answer): Promise<FakeService>;
}

export async function startBus(): Promise<TestBus> {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await tempDir('bus'));
  const config = join(dir.path, 'bus.conf');
  await writeFile(
    config,
    `<busconfig><type>session</type><listen>unix:path=${join(dir.path, 'bus')}</listen><policy context="default">` +
      '<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>',
  );
  const daemon = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork', '--print-address=1'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  cleanup.defer(async () => {
    const ended = daemon.exitCode === null ? once(daemon, 'exit') : undefined;
    daemon.kill();
    await ended;
  });
  const lines = createInterface(daemon.stdout!);
  const [address] = (await once(lines, 'line')) as [string];
  const alive = new AbortController();
  cleanup.defer(() => alive.abort());
  const owned = cleanup.move();
  return {
    address,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
    async serve(name, answer) {
      const bus = owned.use(await openBus(address, alive.signal));
      const calls: DbusMessage[] = [];
      await bus.listen((call) => {
        if (call.kind !== 'call') return;
        calls.push(call);
        const said = answer(call, bus);
        const reply = { destination: call.sender, replySerial: call.serial };
        if ('error' in said) bus.send({ kind: 'error', errorName: said.error, signature: 's', body: ['no'], ...reply });
        else bus.send({ kind: 'return', signature: said[0], body: said[1], ...reply });
      });
      await bus.call({
        destination: 'org.freedesktop.DBus',
        path: '/org/freedesktop/DBus',
        interface: 'org.freedesktop.DBus',
        member: 'RequestName',
        signature: 'su',
        body: [name, 0],
      });
      return { bus, calls };
    },
  };
}
