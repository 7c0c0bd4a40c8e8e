/** Starts a gateway on the state after a power cut, repeats unacknowledged messages, and counts the outcome of each. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { audit } from '../crash/audit.ts';
import { openRows } from '../crash/journal.ts';
import { configText } from '../crash/scenario.ts';
import { createFixture, type Fixture } from '../crash/fixture.ts';
import { diskImageAt, type Model, type DiskImage } from './disk-image.ts';
import type { Run } from './record.ts';

export interface Outcome {
  readonly refused: boolean;
  readonly unended: boolean /** Every broken promise in a sentence. */;
  readonly faults: readonly string[];
}

/** What the outside had heard by then. */
function heard({ operations, messages }: Run, cut: number, fixture: Fixture): void {
  const reported = operations
    .flatMap((operation) => (operation.kind === 'told' && operation.begun <= cut ? [operation.text] : []))
    .join('\n');
  const ids = new Set([...reported.matchAll(/\{"id":"([\w-]+)"\}/g)].map(([, id]) => id!));
  for (const message of messages) if (!ids.has(message.id)) fixture.unacknowledged.set(message.id, message);
  for (const [send] of reported.matchAll(/\{"chat":"[^"]*","text":"[^"]*","token":"[^"]*"\}/g))
    fixture.sends.push(JSON.parse(send));
  for (const [, name] of reported.matchAll(/\{"name":"(\w+)"\}/g))
    fixture.effects.set(name!, (fixture.effects.get(name!) ?? 0) + 1);
}

function put({ files, folders }: DiskImage, from: string, to: string): void {
  const place = (path: string): string => join(to, relative(from, path));
  for (const path of folders) mkdirSync(place(path), { recursive: true, mode: 0o700 });
  for (const [path, content] of files) {
    if (path.endsWith('/clawdbot.json')) continue; // names the outside it talks to
    mkdirSync(dirname(place(path)), { recursive: true, mode: 0o700 });
    writeFileSync(place(path), content, { mode: 0o600 });
  }
}

/** Each message has one answer outside, whatever was said of it inside. */
const answers = ({ messages }: Run, { sends }: Fixture): string[] =>
  messages.flatMap(({ id, text }) => {
    const count = sends.filter(
      (send) => send.text === `echo ${text}` || send.text === `echo ${text} (outcome unknown)`,
    ).length;
    return count === 1 ? [] : [`${id} was answered ${count} times`];
  });

/**
 * `heardUntil`: what the outside heard, when that is more than the disk could know: for a recorder that has to be able to
 * fail.
 */
export async function replay(
  recording: Run,
  {
    cut,
    heardUntil = cut,
    model,
    random,
  }: { readonly cut: number; readonly heardUntil?: number; readonly model: Model; readonly random: () => number },
): Promise<Outcome> {
  const fixture = await createFixture();
  process.env['FIXTURE_URL'] = fixture.url;
  try {
    heard(recording, heardUntil, fixture);
    const diskImage = diskImageAt(recording, cut, model, random);
    const gateway = await startGateway({
      offline: true,
      config: configText(fixture.url),
      before: async (stateDir) => put(diskImage, recording.folder, stateDir),
    }).catch((error: unknown) => String(error));
    if (typeof gateway === 'string') return { refused: true, unended: false, faults: [gateway] };
    await using running = gateway;
    const ended = await until(
      () => fixture.unacknowledged.size === 0 && openRows(running.stateDir) === 0,
      'the end of all messages',
    ).then(
      () => true,
      () => false,
    );
    await running.instance.close('test', { graceMs: 2000 });
    const said = recording.messages.map(({ id, chat, text }) => ({
      id,
      session: chat,
      nth: Number(id.split('-')[1]),
      text,
    }));
    return {
      refused: false,
      unended: !ended,
      faults: [...audit(running.stateDir, fixture, said, new Set()), ...answers(recording, fixture)],
    };
  } finally {
    delete process.env['FIXTURE_URL'];
    await fixture.close();
  }
}
