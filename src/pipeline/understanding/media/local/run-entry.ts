/** Runs one command on one attachment: the file as the tool wants it, its command line filled in, its text found. */
import { dirname, join, parse } from 'node:path';
import type { MediaEntry } from '../../../../config/understanding-config.ts';
import { AppError } from '../../../../core/errors.ts';
import { present } from '../../../../core/present.ts';
import type { AttachmentFile } from '../../attachments.ts';
import type { UnderstandingContext } from '../../context.ts';
import { fillTemplate, type TemplateContext } from '../../template.ts';
import { hasFlag } from './command-line.ts';
import { ANY_TOOL, KNOWN_TOOLS, type KnownTool } from './known-tools.ts';
import { toolName } from './programs.ts';
import type { WorkFolder } from './work-folder.ts';

/** The result for an entry and its capability. */
export interface LocalLimits {
  /** For everything: conversion and the tool itself. */
  readonly timeoutMs: number;
  /** `{{Prompt}}`. */
  readonly prompt?: string;
  /** `{{MaxChars}}`; cutting the text is the caller's. */
  readonly maxChars?: number;
  /** `{{Language}}`. */
  readonly language?: string;
}

export interface EntryRun {
  readonly entry: MediaEntry;
  readonly file: AttachmentFile;
  readonly limits: LocalLimits;
  readonly context: UnderstandingContext;
  readonly folder: WorkFolder;
}

export async function runEntry(run: EntryRun): Promise<{ text: string; provider: string; model: string }> {
  const { entry, folder } = run;
  const { command } = entry;
  if (!command) throw new AppError('invalid', 'The entry has no command.');
  const name = toolName(command);
  const tool = Object.hasOwn(KNOWN_TOOLS, name) ? KNOWN_TOOLS[name]! : ANY_TOOL;
  refuseForeignSpeech(run, tool);
  const mediaPath = await tool.input(run.file, folder);
  const context = contextOf(run, mediaPath);
  const args = entry.args.map((arg) => fillTemplate(arg, context));
  const { stdout } = await folder.run(
    present({
      command,
      args,
      passEnv: entry.passEnv,
      env: tool.env,
      cwd: tool.besideItsFile ? dirname(mediaPath) : undefined,
    }),
  );
  const text = await tool.output({ args, mediaPath, stdout: new TextDecoder().decode(stdout) });
  return { text, provider: 'cli', model: command };
}

/** Better no transcript than English words for the sounds of another language. */
function refuseForeignSpeech({ entry, limits: { language } }: EntryRun, { englishWithout }: KnownTool): void {
  if (!englishWithout || !language || /^en\b/i.test(language) || hasFlag(entry.args, [englishWithout])) return;
  throw new AppError(
    'unsupported',
    `${toolName(entry.command ?? '')} supports English only; the configured language is "${language}".`,
  );
}

/** The message's fields, and this one attachment in place of all (`{{MediaPath}}`, by both generations of names). */
function contextOf({ file, limits, context, folder }: EntryRun, mediaPath: string): TemplateContext {
  const url = context.message.attachments[file.index]?.url;
  const mediaDir = dirname(mediaPath);
  return {
    ...context.template,
    MediaPath: mediaPath,
    MediaDir: mediaDir,
    MediaUrl: url,
    MediaType: file.mime,
    AttachmentPath: mediaPath,
    AttachmentDir: mediaDir,
    AttachmentUrl: url,
    AttachmentContentType: file.mime,
    AttachmentIndex: file.index,
    OutputDir: folder.outputDir,
    OutputBase: join(folder.outputDir, parse(mediaPath).name),
    Prompt: limits.prompt,
    MaxChars: limits.maxChars,
    Language: limits.language,
  };
}
