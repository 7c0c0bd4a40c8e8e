/** `camera.*` and `microphone.clip`: each opens its device for one recording, and closes it afterwards. */
import { present } from '../../../core/present.ts';
import type { Work } from './work.ts';
import { NodeError } from './node-error.ts';
import { numberOf, textOf, type Params } from './params.ts';
import { picture, record } from './recording.ts';

const CLIP = [250, 60_000] as const;

export const cameraList: Work = async () => {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
  return {
    devices: cameras.map(({ deviceId, label }, index) => ({
      id: deviceId,
      name: label || `Camera ${index + 1}`,
      position: positionOf(label),
      deviceType: 'browser',
    })),
  };
};

/** Browsers label the cameras of phones by their side. */
const positionOf = (label: string): 'front' | 'back' | 'unknown' =>
  /back|rear|environment/i.test(label) ? 'back' : /front|user|face/i.test(label) ? 'front' : 'unknown';

export const cameraSnap: Work = async (params, { signal }) => {
  const maxWidth = numberOf(params['maxWidth'], 1600, [16, 8192]);
  const stream = await openCamera(params, { width: maxWidth, audio: false });
  return closing(stream, signal, () =>
    picture(stream, {
      maxWidth,
      quality: numberOf(params['quality'], 0.9, [0.05, 1]),
      delayMs: numberOf(params['delayMs'], 300, [0, 10_000]),
      signal,
    }),
  );
};

export const cameraClip: Work = async (params, { signal, isOn }) => {
  const durationMs = numberOf(params['durationMs'], 3000, CLIP);
  // Recording sound requires the separate permission for the microphone.
  const audio = params['includeAudio'] !== false && isOn('microphone');
  const stream = await openCamera(params, { width: 1280, audio });
  return closing(stream, signal, async () => ({
    ...(await record(stream, 'video', { durationMs, signal })),
    hasAudio: stream.getAudioTracks().length > 0,
  }));
};

export const microphoneClip: Work = async (params, { signal }) => {
  const durationMs = numberOf(params['durationMs'], 3000, CLIP);
  const stream = await navigator.mediaDevices
    .getUserMedia({ audio: true })
    .catch((cause: unknown) => refused(cause, 'MIC', 'microphone'));
  return closing(stream, signal, () => record(stream, 'audio', { durationMs, signal }));
};

async function openCamera(
  params: Params,
  { width, audio }: { readonly width: number; readonly audio: boolean },
): Promise<MediaStream> {
  const deviceId = textOf(params['deviceId'], 512);
  const facing = params['facing'] === 'back' ? 'environment' : params['facing'] === 'front' ? 'user' : undefined;
  const stream = await navigator.mediaDevices
    .getUserMedia({
      audio,
      video: {
        width: { ideal: width },
        ...present({
          deviceId: deviceId ? { exact: deviceId } : undefined,
          facingMode: !deviceId && facing ? { ideal: facing } : undefined,
        }),
      },
    })
    .catch((cause: unknown) => refused(cause, 'CAMERA', 'camera'));
  const { facingMode } = stream.getVideoTracks()[0]?.getSettings() ?? {};
  if (!deviceId && facing && facingMode && facingMode !== facing) {
    close(stream);
    throw new NodeError('CAMERA_UNAVAILABLE', `this device has no ${facing === 'user' ? 'front' : 'back'} camera`);
  }
  return stream;
}

/** Converts the error of the browser into a code of the protocol. */
function refused(cause: unknown, prefix: 'CAMERA' | 'MIC', what: string): never {
  const name = cause instanceof DOMException ? cause.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError')
    throw new NodeError(`${prefix}_PERMISSION_REQUIRED`, `the browser does not allow the ${what} for this page`);
  if (name === 'OverconstrainedError') throw new NodeError('INVALID_REQUEST', `there is no such ${what}`);
  if (name === 'NotFoundError') throw new NodeError(`${prefix}_UNAVAILABLE`, `this device has no ${what}`);
  if (name === 'NotReadableError' || name === 'AbortError')
    throw new NodeError(`${prefix}_UNAVAILABLE`, `the ${what} is used by something else`);
  throw cause;
}

/** Closes the device after the recording, or as soon as it is stopped. */
async function closing<T>(stream: MediaStream, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const stop = (): void => close(stream);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

export const close = (stream: MediaStream): void => stream.getTracks().forEach((track) => track.stop());
