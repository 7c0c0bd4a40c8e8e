/** Runs `clawdbot storage`: shows disk usage, and removes what is too old. */
import type { Call } from '../../cli/command.ts';
import { columns } from '../../cli/columns.ts';
import { sizeText } from '../../core/size-text.ts';
import type { RetentionAnswers, StorageUse } from './answers.ts';

export async function storage({ flags, io, gateway }: Call): Promise<void> {
  const link = await gateway();
  const print = (answer: object, text: string): void =>
    io.out(flags.has('json') ? JSON.stringify(answer, null, 2) : text);
  if (flags.has('prune')) {
    const answer = await link.request<RetentionAnswers['storage.prune']>('storage.prune', {
      dryRun: flags.has('dry-run'),
    });
    return print(answer, prunedText(answer));
  }
  const use = await link.request<StorageUse>('storage.use', {});
  return print(use, useText(use));
}

function prunedText({ files, bytes, dryRun }: RetentionAnswers['storage.prune']): string {
  if (files === 0) return 'Nothing to delete: no data is older than the `retention` settings allow.';
  return `${dryRun ? 'Would remove' : 'Removed'} ${files} ${files === 1 ? 'file' : 'files'}, ${sizeText(bytes)}.`;
}

const useText = (use: StorageUse): string =>
  columns([
    ['journal', sizeText(use.journalBytes)],
    ['transcripts', sizeText(use.transcriptBytes)],
    ['', `${sizeText(use.leftTranscriptBytes)} of sessions that were reset or deleted`],
    ['media', sizeText(use.mediaBytes)],
    ['logs', sizeText(use.logBytes)],
    ['free', sizeText(use.freeBytes)],
  ]);
