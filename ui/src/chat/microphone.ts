/** Opens the microphone with permission, and measures its level. */

/** The stream, or a sentence with the reason why there is none. */
export async function openMicrophone(): Promise<MediaStream | string> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true } });
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause;
    if (cause.name === 'NotAllowedError')
      return 'The browser blocks the microphone. Allow it in the address bar, then try again.';
    return cause.name === 'NotFoundError' ? 'No microphone found.' : `The microphone cannot be used: ${cause.message}`;
  }
}

export interface Listening {
  /** The current loudness from 0 to 1, on a logarithmic scale. */
  level(): number;
  end(): void;
}

export function listenTo(stream: MediaStream): Listening {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      return Math.min(1, Math.max(0, (10 * Math.log10(power + 1e-9) + 60) / 50));
    },
    end: () => void context.close(),
  };
}
