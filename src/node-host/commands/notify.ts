/** `system.notify`: a notification on the desktop of this machine, over D-Bus. */
import { z } from 'zod';
import { childEnv } from '../../platform/child-env.ts';
import { exec, findProgram } from '../../platform/exec.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const params = z.looseObject({
  title: z.string().max(500).nullish(),
  body: z.string().max(8000).nullish(),
  sound: z.string().max(100).nullish(),
  priority: z.enum(['passive', 'active', 'timeSensitive']).nullish(),
});
type Notification = z.output<typeof params>;

const COMMAND = 'system.notify';
const SERVICE = 'org.freedesktop.Notifications';
const OBJECT = '/org/freedesktop/Notifications';
const URGENCY = { passive: 0, active: 1, timeSensitive: 2 } as const;
const TIMEOUT_MS = 10_000;

export async function offerNotify(machine: NodeMachine): Promise<Offer> {
  const { env, settings } = machine;
  const no = (why: string): Offer => nothing('notifications', [COMMAND], why);
  if (!settings.notify) return no('NOTIFICATIONS_DISABLED: switched off at the node');
  if (!env.get('DBUS_SESSION_BUS_ADDRESS') && !env.get('XDG_RUNTIME_DIR'))
    return no('NOTIFICATIONS_UNAVAILABLE: the node has no session bus (nobody is logged in to its desktop)');
  const busctl = await findProgram('busctl', env.vars['PATH']);
  if (busctl === undefined) return no('NOTIFICATIONS_UNAVAILABLE: busctl (systemd) is not installed on the node');
  const asked = await call(busctl, ['GetServerInformation'], machine);
  if (asked !== undefined) return no(`NOTIFICATIONS_UNAVAILABLE: nothing shows notifications on the node (${asked})`);
  return {
    cap: 'notifications',
    commands: {
      [COMMAND]: async (given, { signal }) => notify(readParams(params, given), { busctl, machine, signal }),
    },
    unavailable: {},
    permissions: { notifications: true },
  };
}

interface Notifying extends Pick<NodeCall, 'signal'> {
  readonly busctl: string;
  readonly machine: NodeMachine;
}

async function notify({ title, body, sound, priority }: Notification, at: Notifying): Promise<unknown> {
  const [heading, text] = [title?.trim() ?? '', body?.trim() ?? ''];
  if (heading === '' && text === '') throw new NodeError('INVALID_REQUEST', 'title or body required');
  const hints = [
    ['urgency', 'y', String(URGENCY[priority ?? 'active'])],
    ...(sound ? [['sound-name', 's', sound]] : []),
  ];
  const problem = await call(
    at.busctl,
    [
      'Notify',
      'susssasa{sv}i',
      'Clawdbot',
      '0',
      '',
      heading || text,
      heading ? escaped(text) : '',
      '0',
      String(hints.length),
      ...hints.flat(),
      '-1',
    ],
    at.machine,
    at.signal,
  );
  if (problem !== undefined) throw new NodeError('NOTIFICATIONS_UNAVAILABLE', `NOTIFICATIONS_UNAVAILABLE: ${problem}`);
  return { ok: true };
}

/** Servers may read markup in the text. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Undefined: it was done; else why not. `--` so that no text passes for an option. */
async function call(
  busctl: string,
  [method, ...rest]: readonly string[],
  { env }: NodeMachine,
  signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<string | undefined> {
  const result = await exec({
    command: busctl,
    args: ['--user', '--timeout=8', '--', 'call', SERVICE, OBJECT, SERVICE, method!, ...rest],
    env: childEnv(env.vars),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: 64 * 1024,
    signal,
  });
  if (result.kind === 'exited' && result.code === 0) return undefined;
  return result.stderr.trim().split('\n').at(-1)?.slice(0, 300) || `busctl: ${result.kind}`;
}
