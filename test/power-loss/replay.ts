/**
 * Starts a gateway on what a power cut left, lets people repeat what was not acknowledged, and counts what became of
 * each message.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { audit } from '../crash/audit.ts';
import { configText, openRows } from '../crash/scenario.ts';
import { createWorld, type World } from '../crash/world.ts';
import { platterAt, type Model, type Platter } from './platter.ts';
import type { Life } from './record.ts';

export interface Outcome {
  readonly refused: boolean;
  readonly unended: boolean /** Every broken promise in a sentence. */;
  readonly faults: readonly string[];
}

/** What the world had heard by then. */
function heard({ operations, messages }: Life, cut: number, world: World): void {
  const told = operations
    .flatMap((operation) => (operation.kind === 'told' && operation.begun <= cut ? [operation.text] : []))
    .join('\n');
  const ids = new Set([...told.matchAll(/\{"id":"([\w-]+)"\}/g)].map(([, id]) => id!));
  for (const message of messages) if (!ids.has(message.id)) world.unacknowledged.set(message.id, message);
  for (const [send] of told.matchAll(/\{"chat":"[^"]*","text":"[^"]*","token":"[^"]*"\}/g))
    world.sends.push(JSON.parse(send));
  for (const [, name] of told.matchAll(/\{"name":"(\w+)"\}/g))
    world.effects.set(name!, (world.effects.get(name!) ?? 0) + 1);
}

function put({ files, folders }: Platter, from: string, to: string): void {
  const place = (path: string): string => join(to, relative(from, path));
  for (const path of folders) mkdirSync(place(path), { recursive: true, mode: 0o700 });
  for (const [path, content] of files) {
    if (path.endsWith('/clawdbot.json')) continue; // names the world it talks to
    mkdirSync(dirname(place(path)), { recursive: true, mode: 0o700 });
    writeFileSync(place(path), content, { mode: 0o600 });
  }
}

/** Each message has one answer outside, whatever was said of it inside. */
const answers = ({ messages }: Life, { sends }: World): string[] =>
  messages.flatMap(({ id, text }) => {
    const count = sends.filter(
      (send) => send.text === `echo ${text}` || send.text === `echo ${text} (outcome unknown)`,
    ).length;
    return count === 1 ? [] : [`${id} was answered ${count} times`];
  });

/**
 * `heardUntil`: what the world heard, when that is more than the disk could know: for a recorder that has to be able to
 * fail.
 */
export async function replay(
  life: Life,
  {
    cut,
    heardUntil = cut,
    model,
    random,
  }: { readonly cut: number; readonly heardUntil?: number; readonly model: Model; readonly random: () => number },
): Promise<Outcome> {
  const world = await createWorld();
  process.env['WORLD_URL'] = world.url;
  try {
    heard(life, heardUntil, world);
    const platter = platterAt(life, cut, model, random);
    const gateway = await startGateway({
      offline: true,
      config: configText(world.url),
      before: async (stateDir) => put(platter, life.folder, stateDir),
    }).catch((error: unknown) => String(error));
    if (typeof gateway === 'string') return { refused: true, unended: false, faults: [gateway] };
    await using running = gateway;
    const ended = await until(
      () => world.unacknowledged.size === 0 && openRows(running.stateDir) === 0,
      'the end of all messages',
    ).then(
      () => true,
      () => false,
    );
    await running.life.close('test', { graceMs: 2000 });
    const said = life.messages.map(({ id, chat, text }) => ({
      id,
      session: chat,
      nth: Number(id.split('-')[1]),
      text,
    }));
    return {
      refused: false,
      unended: !ended,
      faults: [...audit(running.stateDir, world, said, new Set()), ...answers(life, world)],
    };
  } finally {
    delete process.env['WORLD_URL'];
    await world.close();
  }
}
