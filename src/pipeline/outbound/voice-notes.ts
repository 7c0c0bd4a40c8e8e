/**
 * Makes recordings that are to be played as voice notes fit for their channel: in a format it shows as one, with its
 * words beside it where it takes none. What cannot be made fit goes out as the file it is.
 */
import { basename, extname, join } from 'node:path';
import type { ChannelAccount, ChannelCapabilities } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { bareMime } from '../../core/media-type.ts';
import { present } from '../../core/present.ts';
import type { MediaRef, ReplyPayload } from '../../core/reply.ts';
import type { Clock } from '../../platform/clock.ts';
import { readBytesIfExists, writeFileAtomic } from '../../platform/files.ts';
import type { ExecRequest, ExecResult } from '../../platform/exec.ts';
import type { MediaStore } from '../../sessions/media-store.ts';

/** The machine as conversions need it. */
export interface VoiceMachine {
  readonly log: Log;
  readonly clock: Clock;
  /** The environment as it is now. */
  vars(): Readonly<Record<string, string>>;
  /** Absolute. */
  readonly tempDir: string;
  exec(request: ExecRequest): Promise<ExecResult>;
  findProgram(name: string, path: string | undefined): Promise<string | undefined>;
}

export interface VoiceNotesDeps {
  readonly machine: VoiceMachine;
  readonly open: ChannelAccount<unknown>['open'];
  readonly media: Pick<MediaStore, 'keep'>;
}

/** Where the messages of an answer go. */
interface VoicePlace {
  readonly capabilities: Pick<ChannelCapabilities, 'voice' | 'voiceNotes'> | undefined;
  readonly sessionKey: string;
}

export type VoiceNotes = (payloads: readonly ReplyPayload[], place: VoicePlace) => Promise<readonly ReplyPayload[]>;

/** Longer and larger recordings are no voice notes. */
const MAX_BYTES = 30 * 1024 * 1024;
const MAX_SECONDS = 30 * 60;
const CONVERT_MS = 60_000;
const OGG = 'audio/ogg';

/** The messages in their order; nothing is converted where none asks for it. */
export function createVoiceNotes(deps: VoiceNotesDeps): VoiceNotes {
  return async (payloads, place) => {
    if (!payloads.some(({ audioAsVoice }) => audioAsVoice)) return payloads;
    const fit: ReplyPayload[] = [];
    for (const payload of payloads)
      fit.push(...(payload.audioAsVoice ? await fitted(payload, place, deps) : [payload]));
    return fit;
  };
}

async function fitted(
  { audioAsVoice: _audioAsVoice, ...payload }: ReplyPayload,
  { capabilities, sessionKey }: VoicePlace,
  deps: VoiceNotesDeps,
): Promise<readonly ReplyPayload[]> {
  const [file, ...others] = payload.media ?? [];
  if (!capabilities?.voice || !file || others.length > 0) return [payload];
  const types = capabilities.voiceNotes?.types ?? [OGG];
  const sound = await spoken(file, types, sessionKey, deps);
  if (!sound) return [payload];
  const note: ReplyPayload = { ...payload, media: [sound], audioAsVoice: true };
  if (capabilities.voiceNotes?.caption !== false || !payload.text?.trim()) return [note];
  const { media: _file, ...words } = payload;
  const { text: _words, replyTo: _pointed, replaces: _preview, ...alone } = note;
  return [words, alone];
}

/** The recording in one of these types; undefined: it is none, or cannot be made one. Never rejects. */
async function spoken(
  file: MediaRef,
  types: readonly string[],
  sessionKey: string,
  deps: VoiceNotesDeps,
): Promise<MediaRef | undefined> {
  if (file.from === 'file' && types.includes(bareMime(file.mime))) return file;
  if (file.from === 'file' && !file.mime.startsWith('audio/')) return undefined;
  const { log } = deps.machine;
  try {
    const { data, mime, name } = await deps.open(file, MAX_BYTES);
    if (!mime.startsWith('audio/')) return undefined;
    if (types.includes(bareMime(mime))) return file;
    const opus = await toOpus({ data, name }, deps.machine);
    if (!opus) {
      log.info('voice.as-file', { reason: 'ffmpeg is not installed', mime });
      return undefined;
    }
    const kept = await deps.media.keep({ data: opus, mime: OGG, name: `${stem(name)}.ogg` }, sessionKey);
    return { from: 'file', path: kept.path, mime: OGG, ...present({ name: kept.name }) };
  } catch (error) {
    // It goes out as the file it is; where that cannot be had either, the send says so.
    if (!(error instanceof AppError)) throw error;
    log.warn('voice.as-file', { code: error.code, reason: error.message });
    return undefined;
  }
}

/** Undefined: there is no ffmpeg. Rejects with `AppError` for what it cannot read. */
async function toOpus(
  { data, name }: { readonly data: Uint8Array; readonly name: string },
  machine: VoiceMachine,
): Promise<Buffer | undefined> {
  const [{ openWorkFolder }, { createPrograms }, { container, ffmpeg }] = await Promise.all([
    import('../understanding/media/local/work-folder.ts'),
    import('../understanding/media/local/programs.ts'),
    import('../understanding/media/local/film/ffmpeg.ts'),
  ]);
  const programs = createPrograms(machine);
  if (!(await programs.find('ffmpeg'))) return undefined;
  const signal = AbortSignal.timeout(CONVERT_MS);
  await using folder = await openWorkFolder({ ...machine, programs, timeoutMs: CONVERT_MS, signal });
  const [input, output] = [join(folder.inputDir, 'sound'), join(folder.outputDir, 'voice.ogg')];
  await writeFileAtomic(input, data, { sync: false });
  const sound = ['-vn', '-map', '0:a:0', '-t', String(MAX_SECONDS), '-ac', '1', '-ar', '48000'];
  const opus = ['-c:a', 'libopus', '-b:a', '48k', '-application', 'voip', '-fflags', '+bitexact', '-f', 'ogg', output];
  await ffmpeg(folder, { args: [...container(input), ...sound, ...opus] });
  const converted = await readBytesIfExists(output);
  if (!converted?.length) throw new AppError('bad_response', `ffmpeg made nothing of ${name}.`);
  return converted;
}

const stem = (name: string): string => basename(name, extname(name)) || 'voice';
