/** Where each known tool leaves its text: in a file it was told to write, in JSON, or on standard output. */
import { parseJson } from '../../../../core/parse-json.ts';
import { join, parse } from 'node:path';
import { AppError } from '../../../../core/errors.ts';
import { readTextIfExists, statIfExists } from '../../../../platform/files.ts';
import { hasFlag, optionValue } from './command-line.ts';
import { lastJsonObject, parsed } from './last-json-object.ts';

/** The arguments and the output of a tool. */
export interface ToolRun {
  readonly args: readonly string[];
  readonly mediaPath: string;
  readonly stdout: string;
}

/** The text, blank when there is none. */
export type OutputReader = (run: ToolRun) => string | Promise<string>;

const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** The file is the transcript when one was asked for: progress on standard output never stands in for it. */
export function whisperCppText({ args, mediaPath, stdout }: ToolRun): string | Promise<string> {
  if (!hasFlag(args, ['-otxt', '--output-txt'])) return stdout.trim();
  return textFile(`${optionValue(args, ['-of', '--output-file']) ?? mediaPath}.txt`);
}

/** Its formats are one name or `all`, which is what it writes unless told otherwise. */
export function whisperText({ args, mediaPath, stdout }: ToolRun): string | Promise<string> {
  const folder = optionValue(args, ['--output_dir', '-o']);
  const format = optionValue(args, ['--output_format', '-f']) ?? 'all';
  const writesText = format.split(',').some((one) => ['txt', 'all'].includes(one.trim()));
  return folder === undefined || !writesText ? stdout.trim() : textFile(join(folder, `${parse(mediaPath).name}.txt`));
}

/** An answer without `response` is an error it reports in the same form. */
export function geminiResponse({ args, stdout }: ToolRun): string {
  if (optionValue(args, ['--output-format', '-o']) !== 'json') return stdout.trim();
  const response = lastJsonObject(stdout)?.['response'];
  return typeof response === 'string' ? response.trim() : '';
}

/** An object with `text`, or that object once more as a JSON string; on all of the output or on its last line. */
export function sherpaText({ stdout }: ToolRun): string {
  for (const candidate of [stdout.trim(), stdout.trim().split('\n').at(-1) ?? '']) {
    const value = parseJson(candidate);
    const text = parsed(typeof value === 'string' ? value : candidate)?.['text'];
    if (typeof text === 'string') return text.trim();
  }
  return '';
}

/** Blank when there is no such file. */
async function textFile(path: string): Promise<string> {
  const facts = await statIfExists(path);
  if (!facts) return '';
  if (facts.kind !== 'file')
    throw new AppError('bad_response', `The tool created something other than a file at its output path: ${path}`);
  if (facts.size > MAX_FILE_BYTES)
    throw new AppError('too_large', `The tool wrote more than ${MAX_FILE_BYTES / 1024 / 1024} MiB of text.`);
  return ((await readTextIfExists(path)) ?? '').replace(/^\uFEFF/, '').trim();
}
