/** `system.notify`: a notification on the desktop of this machine, over D-Bus. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { PRODUCT_LABEL } from '../../core/product.ts';
import { openBus, sessionBus } from '../../platform/dbus/bus.ts';
import { NodeError, nothing, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const params = z.looseObject({
  title: z.string().max(500).nullish(),
  body: z.string().max(8000).nullish(),
  sound: z.string().max(100).nullish(),
  priority: z.enum(['passive', 'active', 'timeSensitive']).nullish(),
});
type Notification = z.output<typeof params>;

const COMMAND = 'system.notify';
const NAME = 'org.freedesktop.Notifications';
const SERVER = { destination: NAME, path: '/org/freedesktop/Notifications', interface: NAME };
const URGENCY = { passive: 0, active: 1, timeSensitive: 2 } as const;
const PROBE_MS = 8000;

export async function offerNotify({ env, settings }: NodeMachine): Promise<Offer> {
  const no = (why: string): Offer => nothing('notifications', [COMMAND], why);
  if (!settings.notify) return no('NOTIFICATIONS_DISABLED: switched off at the node');
  const address = sessionBus(env);
  if (address === undefined)
    return no('NOTIFICATIONS_UNAVAILABLE: the node has no session bus (nobody is logged in to its desktop)');
  const missing = await problemOf(async () => {
    await using bus = await openBus(address, AbortSignal.timeout(PROBE_MS));
    await bus.call({ ...SERVER, member: 'GetServerInformation' });
  });
  if (missing !== undefined)
    return no(`NOTIFICATIONS_UNAVAILABLE: nothing shows notifications on the node (${missing})`);
  return {
    cap: 'notifications',
    commands: { [COMMAND]: (input, { signal }) => notify(readParams(params, input), address, signal) },
    unavailable: {},
    permissions: { notifications: true },
  };
}

async function notify({ title, body, sound, priority }: Notification, address: string, signal: AbortSignal) {
  const [heading, text] = [title?.trim() ?? '', body?.trim() ?? ''];
  if (heading === '' && text === '') throw new NodeError('INVALID_REQUEST', 'title or body required');
  const hints = present({
    urgency: ['y', URGENCY[priority ?? 'active']],
    'sound-name': sound ? ['s', sound] : undefined,
  });
  const problem = await problemOf(async () => {
    await using bus = await openBus(address, signal);
    await bus.call({
      ...SERVER,
      member: 'Notify',
      signature: 'susssasa{sv}i',
      body: [PRODUCT_LABEL, 0, '', heading || text, heading ? escaped(text) : '', [], hints, -1],
    });
  });
  if (problem !== undefined) throw new NodeError('NOTIFICATIONS_UNAVAILABLE', `NOTIFICATIONS_UNAVAILABLE: ${problem}`);
  return { ok: true };
}

/** Servers may read markup in the text. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Undefined: it was done; else why not. */
async function problemOf(done: () => Promise<void>): Promise<string | undefined> {
  try {
    await done();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
