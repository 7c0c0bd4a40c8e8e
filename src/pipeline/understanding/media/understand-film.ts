/** A film nobody could watch: its pictures are looked at, its sound is listened to, and both become one description. */
import { asAppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Attempt } from '../../../core/understanding.ts';
import type { AttachmentFile } from '../attachments.ts';
import { inParallel } from '../in-parallel.ts';
import { closedBy } from './closed-by.ts';
import type { MediaRun } from './media-run.ts';
import { limitsOf } from './entries/limits.ts';
import type { Frame } from './local/film/video.ts';
import { understandFile, type Understood } from './understand-file.ts';

/** Undefined when this machine cannot take films apart. Rejects only with `aborted`. */
export async function understandFilm(film: AttachmentFile, run: MediaRun): Promise<Understood | undefined> {
  const { context, deps } = run;
  const since = deps.clock.monotonic();
  const record = (rest: Pick<Attempt, 'outcome' | 'reason'>): Attempt => ({
    type: 'cli',
    command: 'ffmpeg',
    provider: 'cli',
    model: 'ffmpeg',
    ...rest,
    ms: Math.round(deps.clock.monotonic() - since),
  });
  try {
    await using parts = await deps.local.takeApart(film, context);
    if (!parts) return undefined;
    const frames = await describeFrames(parts.frames, run);
    const sound = parts.sound && (await listen(parts.sound, run));
    const attempts = [...frames.flatMap((frame) => frame.attempts), ...(sound?.attempts ?? [])];
    const text = described(parts.frames, frames, sound);
    if (!text)
      return {
        attempts: [
          ...attempts,
          record({ outcome: 'skipped', reason: 'empty output: neither its pictures nor its sound gave text' }),
        ],
      };
    const chosen = record({ outcome: 'success', reason: credits(frames, sound) });
    return { attempts: [...attempts, chosen], chosen, text };
  } catch (error) {
    if (context.signal.aborted) throw asAppError(error, 'aborted');
    return { attempts: [record({ outcome: 'failed', reason: asAppError(error).message })] };
  }
}

/** Each picture says little, so that all of them together stay within what a film may say. */
const LEAST_CHARS = 120;

/** When the first picture gives nothing, nor will the others. */
async function describeFrames(frames: readonly Frame[], run: MediaRun): Promise<readonly Understood[]> {
  const [first, ...rest] = frames;
  if (!first || closedBy('image', run)) return [];
  const share = Math.floor((limitsOf('video', run.config.video).maxChars ?? Infinity) / frames.length);
  const block = {
    ...run.config.image,
    ...present({ maxChars: Number.isFinite(share) ? Math.max(LEAST_CHARS, share) : undefined }),
  };
  const chosen = await run.entriesFor('image');
  const ask = (file: AttachmentFile): Promise<Understood> =>
    understandFile({ ...chosen, file, capability: 'image', block, context: run.context }, run.deps);
  const seen = await ask(first);
  return seen.text ? [seen, ...(await inParallel(rest, run.config.concurrency, ask))] : [seen];
}

async function listen(sound: AttachmentFile, run: MediaRun): Promise<Understood | undefined> {
  if (closedBy('audio', run)) return undefined;
  if (sound.trouble)
    return { attempts: [{ type: 'cli', command: 'ffmpeg', outcome: 'failed', reason: `its sound: ${sound.trouble}` }] };
  return understandFile(
    {
      ...(await run.entriesFor('audio')),
      file: sound,
      capability: 'audio',
      block: run.config.audio,
      context: run.context,
    },
    run.deps,
  );
}

/** A picture that looks the same as the previous one is left out. */
function described(frames: readonly Frame[], seen: readonly Understood[], sound: Understood | undefined): string {
  const pictures = seen.flatMap(({ text }, index) =>
    text && text !== seen[index - 1]?.text ? [`At ${minutes(frames[index]!.atSeconds)}: ${text}`] : [],
  );
  return [...pictures, ...(sound?.text ? [`Sound: ${sound.text}`] : [])].join('\n');
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

function credits(frames: readonly Understood[], sound: Understood | undefined): string {
  const by = ({ chosen }: Understood): string => chosen?.command ?? `${chosen?.provider}/${chosen?.model}`;
  const seen = frames.filter(({ text }) => text);
  const pictures = seen[0] && `${seen.length} pictures by ${by(seen[0])}`;
  return [pictures, sound?.text && `sound by ${by(sound)}`].filter(Boolean).join(', ');
}
