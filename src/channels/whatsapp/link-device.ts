/** Links a new device: shows what the phone needs until it is linked. */
import { AppError, abortedBy } from '../../sdk/index.ts';
import { beginSocket, endSocket, selfOf } from './begin-socket.ts';
import { disconnected, statusOf } from './disconnects.ts';
import type { Library } from './library.ts';
import type { WaLinking, WaOpening, WaSelf } from './socket.ts';

const MAX_PICTURES = 6;

/** Resolves once the phone has linked it; the next connection uses it. */
export async function linkDevice(
  opening: Omit<WaOpening, 'events'>,
  { phone, show }: WaLinking,
  library: Library,
): Promise<WaSelf> {
  const { device, signal } = opening;
  if (signal.aborted) throw abortedBy(signal);
  const socket = beginSocket(opening, { library });
  const done = Promise.withResolvers<void>();
  const state = { linked: false, asked: false, pictures: 0 };
  socket.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
    if (isNewLogin) state.linked = true;
    if (qr !== undefined && phone !== undefined && !state.asked) {
      state.asked = true;
      socket.requestPairingCode(phone).then(
        (code) => show({ code }),
        (error: unknown) => done.reject(notLinked(error)),
      );
    } else if (qr !== undefined && phone === undefined) {
      state.pictures += 1;
      if (state.pictures > MAX_PICTURES) done.reject(notLinked(undefined));
      else show({ qr });
    }
    if (connection === 'close') {
      if (state.linked || statusOf(lastDisconnect?.error) === 515) done.resolve();
      else done.reject(notLinked(lastDisconnect?.error));
    }
  });
  const leave = (): void => done.reject(abortedBy(signal));
  signal.addEventListener('abort', leave, { once: true });
  try {
    await done.promise;
  } finally {
    signal.removeEventListener('abort', leave);
    endSocket(socket);
  }
  await device.save();
  if (!device.creds.me) throw new AppError('bad_response', 'WhatsApp ended the login without naming the account.');
  return selfOf(device);
}

function notLinked(error: unknown): AppError {
  const status = statusOf(error);
  if (error === undefined || status === 408)
    return new AppError('timeout', 'Nobody linked the device in time: the code expired. Start the login again.');
  return disconnected(error);
}
