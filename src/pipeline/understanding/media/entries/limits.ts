/** What holds for one entry of one capability: the entry's own word, else the capability's, else what is built in. */
import type { MediaBlock, MediaConfig, MediaEntry } from '../../../../config/understanding-config.ts';
import { present } from '../../../../core/present.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';

export interface Limits {
  /** Bytes of the file. */
  readonly maxBytes: number;
  /** Characters of the text; absent: no limit. */
  readonly maxChars?: number;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** Absent for recordings nobody configured one for. */
  readonly prompt?: string;
  readonly language?: string;
}

interface BuiltIn {
  readonly maxBytes: number;
  readonly maxChars?: number;
  readonly timeoutSeconds: number;
  readonly prompt?: string;
}

const MIB = 1024 * 1024;

const BUILT_IN: Readonly<Record<MediaCapability, BuiltIn>> = {
  image: { maxBytes: 10 * MIB, maxChars: 500, timeoutSeconds: 60, prompt: 'Describe the image.' },
  // A prompt nobody asked for colours a transcript, so recordings have none.
  audio: { maxBytes: 20 * MIB, timeoutSeconds: 60 },
  video: { maxBytes: 50 * MIB, maxChars: 500, timeoutSeconds: 120, prompt: 'Describe the video.' },
};

/** Without an entry: the limits of the capability. */
export function limitsOf(capability: MediaCapability, block: MediaBlock, entry?: MediaEntry): Limits {
  const builtIn = BUILT_IN[capability];
  const maxChars = entry?.maxChars ?? block.maxChars ?? builtIn.maxChars;
  const text = entry?.prompt ?? block.prompt ?? builtIn.prompt;
  const prompt =
    text && capability !== 'audio' && maxChars !== undefined
      ? `${text} Respond in at most ${maxChars} characters.`
      : text;
  const language = (entry?.language ?? block.language)?.trim();
  return present({
    maxBytes: entry?.maxBytes ?? block.maxBytes ?? builtIn.maxBytes,
    timeoutMs: (entry?.timeoutSeconds ?? block.timeoutSeconds ?? builtIn.timeoutSeconds) * 1000,
    maxChars,
    prompt: prompt || undefined,
    language: language || undefined,
  });
}

/** Bytes beyond which no entry takes a file of the kind: nothing larger has to be fetched. */
export function maxBytesOf(capability: MediaCapability, config: MediaConfig): number {
  const block = config[capability];
  return Math.max(
    ...[undefined, ...block.models, ...config.models].map((entry) => limitsOf(capability, block, entry).maxBytes),
  );
}
