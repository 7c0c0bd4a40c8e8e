/**
 * The tools whose ways are known: what each wants for a file and where it leaves its text. All others get the file and
 * print.
 */
import { extname, join } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import { copyIfExists } from '../../../../platform/files.ts';
import type { AttachmentFile } from '../../attachments.ts';
import { printedWords, readable } from './ocr.ts';
import { geminiResponse, sherpaText, whisperCppText, whisperText, type OutputReader } from './output.ts';
import { listenable } from './film/sound.ts';
import { spokenWords } from './speech.ts';
import type { WorkFolder } from './work-folder.ts';

export interface KnownTool {
  /** Makes the file it gets as `{{MediaPath}}`. */
  readonly input: (file: AttachmentFile, folder: WorkFolder) => Promise<string>;
  readonly output: OutputReader;
  /** Runs in the folder of its file: it reads what lies around it, and there is nothing else. */
  readonly besideItsFile?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** It hears English in everything, unless this option names another model. */
  readonly englishWithout?: string;
}

/** By `toolName` of the command. */
export const KNOWN_TOOLS: Readonly<Record<string, KnownTool>> = {
  'whisper-cli': { input: listenable, output: whisperCppText },
  'sherpa-onnx-offline': { input: listenable, output: sherpaText },
  // Reads every format, with an ffmpeg of its own choosing that would follow a play list into other files of this
  // machine.
  whisper: { input: listenableOrAsItIs, output: whisperText },
  gemini: { input: alone, output: geminiResponse, besideItsFile: true },
  pocketsphinx: { input: listenable, output: spokenWords, englishWithout: '-hmm' },
  pocketsphinx_continuous: { input: listenable, output: spokenWords, englishWithout: '-hmm' },
  // Its threads wait for each other more than they work, above all on a busy machine.
  tesseract: { input: readable, output: printedWords, env: { OMP_THREAD_LIMIT: '1' } },
};

export const ANY_TOOL: KnownTool = { input: (file) => file.path(), output: ({ stdout }) => stdout.trim() };

/** WAV made by our ffmpeg; without one the tool has to bring its own reader. */
async function listenableOrAsItIs(file: AttachmentFile, folder: WorkFolder): Promise<string> {
  return (await folder.programs.find('ffmpeg')) ? listenable(file, folder) : file.path();
}

/**
 * A copy in a folder of its own under a plain name: for a tool that is a model with hands, which must not see the files
 * of
 * others, nor read a file's name as an instruction.
 */
async function alone(file: AttachmentFile, folder: WorkFolder): Promise<string> {
  const extension = /^\.[a-z0-9]{1,5}$/i.exec(extname(file.name))?.[0] ?? '';
  const copy = join(folder.inputDir, `media${extension}`);
  if (!(await copyIfExists(await file.path(), copy))) throw new AppError('not_found', `${file.name} is gone.`);
  return copy;
}
