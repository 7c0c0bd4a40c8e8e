/** Voice note metadata that Discord requires: duration and waveform. */

/** Seconds of an Ogg file with Opus in it, by the last page's position; at least one. */
export function oggSeconds(data: Uint8Array): number {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const at = bytes.lastIndexOf('OggS');
  if (at < 0 || at + 14 > bytes.length) return 1;
  const samples = bytes.readBigInt64LE(at + 6);
  return samples > 0n && samples < 48_000n * 86_400n ? Math.max(1, Number(samples) / 48_000) : 1;
}

/** A level line: the sound is not decoded for a decoration. */
export const waveform = (seconds: number): string =>
  Buffer.alloc(Math.min(256, Math.max(1, Math.round(seconds * 10))), 0x60).toString('base64');

export const isVoiceFile = (mime: string): boolean => /^audio\/(ogg|opus)$/.test(mime);
