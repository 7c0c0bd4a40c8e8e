/** Converts pictures and recordings of a stream into results of the node protocol. */
import { NodeError } from './node-error.ts';

/** A finished recording. */
export interface Recorded {
  readonly format: string;
  readonly base64: string;
  readonly durationMs: number;
}

/** The maximum size of a recording: as base64 it stays below the limit of the gateway. */
const MAX_BYTES = 18 * 1024 * 1024;
const VIDEO = ['video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/mp4', 'video/webm;codecs=vp8,opus', 'video/webm'];
const AUDIO = ['audio/mp4', 'audio/webm;codecs=opus', 'audio/webm'];
const SLICE_MS = 500;
/** How much longer than requested a device that has not delivered anything yet may take. */
const MAX_DELAY_MS = 5000;

/** Rejects with `NodeError`; `signal` cancels without a result. */
export async function record(
  stream: MediaStream,
  kind: 'video' | 'audio',
  { durationMs, signal }: { readonly durationMs: number; readonly signal: AbortSignal },
): Promise<Recorded> {
  const mimeType = (kind === 'video' ? VIDEO : AUDIO).find((type) => MediaRecorder.isTypeSupported(type));
  if (mimeType === undefined) throw new NodeError('UNAVAILABLE', `this browser records no ${kind}`);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 2_000_000 });
  const parts: Blob[] = [];
  const size = (): number => parts.reduce((sum, part) => sum + part.size, 0);
  let begun = performance.now();
  let isDue = false;
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => void (recorder.state !== 'inactive' && recorder.stop());
    recorder.ondataavailable = ({ data }) => {
      if (size() === 0) begun = Math.max(begun, performance.now() - SLICE_MS);
      parts.push(data);
      if (size() > MAX_BYTES || (isDue && size() > 0)) stop();
    };
    recorder.onstop = () => resolve();
    recorder.onerror = () => reject(new NodeError('UNAVAILABLE', 'the browser stopped the recording'));
    signal.addEventListener('abort', stop, { once: true });
    // If the camera is disconnected or sharing ends, the recording ends with what was recorded so far.
    for (const track of stream.getTracks()) track.addEventListener('ended', stop, { once: true });
    recorder.start(SLICE_MS);
    // A busy device delivers its first data late: an empty recording helps nobody.
    setTimeout(() => {
      isDue = true;
      if (recorder.state === 'recording') recorder.requestData();
    }, durationMs);
    setTimeout(stop, durationMs + MAX_DELAY_MS);
  });
  signal.throwIfAborted();
  const whole = new Blob(parts, { type: mimeType });
  if (whole.size > MAX_BYTES) throw new NodeError('PAYLOAD_TOO_LARGE', 'the recording is too large; ask for less');
  if (whole.size === 0) throw new NodeError('UNAVAILABLE', 'nothing was recorded');
  const format = /mp4/.test(recorder.mimeType || mimeType) ? (kind === 'audio' ? 'm4a' : 'mp4') : 'webm';
  const spanMs = Math.min(durationMs, Math.round(performance.now() - begun));
  return { format, base64: await base64Of(whole), durationMs: spanMs };
}

/** One frame of the stream as a JPEG. */
export async function picture(
  stream: MediaStream,
  { maxWidth, quality, delayMs, signal }: PictureOptions & { readonly signal: AbortSignal },
): Promise<{ readonly format: 'jpg'; readonly base64: string; readonly width: number; readonly height: number }> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    await video.play();
    // The first frames of a camera are dark, so a picture is taken a little later.
    await brightened(delayMs, signal);
    signal.throwIfAborted();
    const scale = Math.min(1, maxWidth / video.videoWidth);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (!blob) throw new NodeError('UNAVAILABLE', 'the browser made no picture');
    return { format: 'jpg', base64: await base64Of(blob), width: canvas.width, height: canvas.height };
  } finally {
    video.srcObject = null;
  }
}

/** Resolves early if the picture is cancelled. */
const brightened = (delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    setTimeout(resolve, delayMs);
  });

export interface PictureOptions {
  readonly maxWidth: number;
  readonly quality: number;
  readonly delayMs: number;
}

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The recording cannot be read.'));
    reader.readAsDataURL(blob);
  });
