/** A connection to a message bus: calls methods of services, and hears their signals. */
import { connect } from 'node:net';
import { AppError } from '../../core/errors.ts';
import type { Env } from '../env.ts';
import type { DbusMessage } from './messages.ts';
import { Wire, type OutgoingMessage } from './wire.ts';

/** A method of a service. */
export interface DbusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
}

/** One connection; closed by disposing of it. */
export interface Bus extends AsyncDisposable {
  /** Name of this connection: `:1.7`. */
  readonly name: string;
  /** What the method returned. Rejects with `AppError`; `details.error` is the name of the error of a service. */
  call(call: DbusCall): Promise<readonly unknown[]>;
  /** Hears signals that match a rule of the bus, and what is sent here; ends with the connection. */
  listen(onSignal: (message: DbusMessage) => void, rule?: string): Promise<void>;
  send(message: OutgoingMessage): number;
}

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' };

/** Of the desktop session; undefined: nobody is logged in. */
export const sessionBus = ({ vars }: Env): string | undefined =>
  vars['DBUS_SESSION_BUS_ADDRESS'] ??
  (vars['XDG_RUNTIME_DIR'] ? `unix:path=${vars['XDG_RUNTIME_DIR']}/bus` : undefined);

/** Of the machine. */
export const systemBus = ({ vars }: Env): string =>
  vars['DBUS_SYSTEM_BUS_ADDRESS'] ?? 'unix:path=/run/dbus/system_bus_socket';

/** The first address that is a socket of this machine. */
function socketOf(address: string): string {
  for (const one of address.split(';')) {
    const [, kind, path] = /^unix:(path|abstract)=([^,]+)/.exec(one) ?? [];
    if (path && !/%(?![\da-f]{2})/i.test(path)) return (kind === 'abstract' ? '\0' : '') + decodeURIComponent(path);
  }
  throw new AppError('unavailable', 'D-Bus: the address of the bus is no socket of this machine');
}

/** Rejects with `unavailable` where there is no bus. */
export async function openBus(address: string, signal: AbortSignal): Promise<Bus> {
  const socket = connect(socketOf(address));
  const wire = new Wire(socket);
  const stop = (): void => wire.end(new AppError('aborted', 'D-Bus: stopped'));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await wire.greeted;
    const [name] = await wire.call({ ...BUS, member: 'Hello' });
    return {
      name: String(name),
      call: (call) => wire.call(call),
      send: (message) => wire.send(message),
      async listen(onSignal, rule) {
        wire.onSignal.push(onSignal);
        if (rule !== undefined) await wire.call({ ...BUS, member: 'AddMatch', signature: 's', body: [rule] });
      },
      async [Symbol.asyncDispose]() {
        signal.removeEventListener('abort', stop);
        socket.destroy();
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
