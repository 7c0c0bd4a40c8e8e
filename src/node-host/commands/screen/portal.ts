/**
 * A screen of a Wayland desktop: its portal (`org.freedesktop.portal.ScreenCast`) asks the person which one, and names
 * the PipeWire stream of it. The stream lasts as long as the connection to the bus.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { openBus, sessionBus, type Bus } from '../../../platform/dbus/bus.ts';
import { readTextIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { NodeError, type NodeCall, type NodeMachine } from '../../offer.ts';

const SERVICE = 'org.freedesktop.portal.Desktop';
const PATH = '/org/freedesktop/portal/desktop';
const SCREEN_CAST = 'org.freedesktop.portal.ScreenCast';
const PROBE_MS = 8000;
/** Kinds of sources, of cursors, and how long a yes counts, as the portal counts them. */
const MONITOR = 1;
const CURSOR_IN_PICTURE = 2;
const UNTIL_TAKEN_BACK = 2;
/** Earlier portals ask each time. */
const VERSION_THAT_REMEMBERS = 4;

const abilities = z.looseObject({
  version: z.number(),
  AvailableSourceTypes: z.number().default(0),
  AvailableCursorModes: z.number().default(0),
});
type Abilities = z.output<typeof abilities>;

const started = z.looseObject({
  streams: z.array(z.tuple([z.number().int(), z.unknown()])).min(1),
  restore_token: z.string().max(200).optional(),
});

/** The number of a stream of PipeWire. */
export interface SharedScreen extends AsyncDisposable {
  readonly stream: number;
}

/** Why no screen can be asked for; undefined: it can. */
export async function missingPortal({ env }: NodeMachine): Promise<string | undefined> {
  const address = sessionBus(env);
  if (address === undefined) return 'there is no session bus';
  try {
    await using bus = await openBus(address, AbortSignal.timeout(PROBE_MS));
    const { AvailableSourceTypes } = await abilitiesOf(bus);
    return (AvailableSourceTypes & MONITOR) === 0 ? 'its portal shares no screens' : undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `its portal for screens does not answer (${error.message})`;
  }
}

/** Asks the person, unless an earlier yes still counts. Rejects with `NodeError` where nobody says yes in time. */
export async function shareScreen(
  machine: NodeMachine,
  { signal }: Pick<NodeCall, 'signal'>,
  answerMs: number,
): Promise<SharedScreen> {
  const deadline = AbortSignal.timeout(answerMs);
  const remembered = rememberedYes(machine);
  try {
    const bus = await openBus(sessionBus(machine.env) ?? '', signal);
    await using cleanup = new AsyncDisposableStack();
    cleanup.use(bus);
    const stop = AbortSignal.any([signal, deadline]);
    const { streams, restore_token } = await askPerson({ bus, stop }, await remembered.read());
    if (restore_token !== undefined) await remembered.write(restore_token);
    const kept = cleanup.move();
    return { stream: streams[0]![0], [Symbol.asyncDispose]: () => kept.disposeAsync() };
  } catch (error) {
    if (deadline.aborted && !signal.aborted)
      throw denied(`nobody at the node chose a screen in its dialog within ${Math.ceil(answerMs / 1000)} s`);
    if (!(error instanceof AppError)) throw error;
    throw new NodeError('SCREEN_UNAVAILABLE', `SCREEN_UNAVAILABLE: the portal of the desktop: ${error.message}`);
  }
}

const denied = (why: string): NodeError =>
  new NodeError('SCREEN_PERMISSION_REQUIRED', `SCREEN_PERMISSION_REQUIRED: ${why}`);

/** The portal gives a token for each yes that is to last; it is good for one use, and the next yes brings another. */
function rememberedYes({ env }: NodeMachine) {
  const path = join(env.stateDir, 'node', 'screen-token');
  return {
    read: async (): Promise<string | undefined> => (await readTextIfExists(path))?.trim() || undefined,
    write: async (token: string): Promise<void> => void (await writeFileAtomic(path, token, { mode: 0o600 })),
  };
}

async function abilitiesOf(bus: Bus): Promise<Abilities> {
  const [all] = await bus.call({
    destination: SERVICE,
    path: PATH,
    interface: 'org.freedesktop.DBus.Properties',
    member: 'GetAll',
    signature: 's',
    body: [SCREEN_CAST],
  });
  return checked(abilities, all);
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new AppError('bad_response', `it answered in another form (${read.error.issues[0]!.path.join('.')})`);
}

interface Asking {
  readonly bus: Bus;
  /** Ends the wait for an answer. */
  readonly stop: AbortSignal;
}

async function askPerson(asking: Asking, token: string | undefined): Promise<z.output<typeof started>> {
  const { version, AvailableCursorModes } = await abilitiesOf(asking.bus);
  const made = await request(asking, 'CreateSession', 'a{sv}', [{ session_handle_token: ['s', 'clawdbot'] }]);
  const { session_handle } = checked(z.looseObject({ session_handle: z.string() }), made);
  const lasts = version >= VERSION_THAT_REMEMBERS;
  await request(asking, 'SelectSources', 'oa{sv}', [
    session_handle,
    present({
      types: ['u', MONITOR],
      multiple: ['b', false],
      cursor_mode: (AvailableCursorModes & CURSOR_IN_PICTURE) > 0 ? ['u', CURSOR_IN_PICTURE] : undefined,
      persist_mode: lasts ? ['u', UNTIL_TAKEN_BACK] : undefined,
      restore_token: lasts && token !== undefined ? ['s', token] : undefined,
    }),
  ]);
  return checked(started, await request(asking, 'Start', 'osa{sv}', [session_handle, '', {}]));
}

/** A method of the portal; its answer comes later as a signal, at a path made of our name and a word of ours. */
async function request(
  { bus, stop }: Asking,
  member: string,
  signature: string,
  body: readonly unknown[],
): Promise<unknown> {
  const word = `clawdbot_${member}`;
  const at = `${PATH}/request/${bus.name.slice(1).replaceAll('.', '_')}/${word}`;
  const answer = Promise.withResolvers<readonly unknown[]>();
  const giveUp = (): void => answer.reject(new AppError('aborted', 'stopped'));
  stop.addEventListener('abort', giveUp, { once: true });
  if (stop.aborted) giveUp();
  answer.promise.catch(() => undefined);
  try {
    await bus.listen(
      (message) =>
        message.kind === 'signal' &&
        message.member === 'Response' &&
        message.path === at &&
        answer.resolve(message.body),
      `type='signal',interface='org.freedesktop.portal.Request',member='Response',path='${at}'`,
    );
    const options = { ...(body.at(-1) as object), handle_token: ['s', word] };
    const whole = [...body.slice(0, -1), options];
    await bus.call({ destination: SERVICE, path: PATH, interface: SCREEN_CAST, member, signature, body: whole });
    const [code, results] = await answer.promise;
    if (code === 1) throw denied('the person at the node did not share a screen');
    if (code !== 0) throw new AppError('unavailable', 'it ended the request');
    return results;
  } finally {
    stop.removeEventListener('abort', giveUp);
  }
}
