/** Removes an old transcript of a session, or a session entry; its transcript is kept or archived. */
import { basename, dirname } from 'node:path';
import { listDir, moveFile, removeIfExists } from '../platform/files.ts';
import type { Transcripts } from './transcripts.ts';

export interface Removal {
  deleted: boolean;
  /** Where its transcript lies now. */
  archived: string[];
}

export async function discardTranscript(path: string, transcripts: Pick<Transcripts, 'forget'>): Promise<void> {
  await transcripts.forget(path);
  await removeIfExists(path);
}

/** Of a session whose entry is gone; renamed when asked. */
export async function leaveTranscript(
  path: string,
  { transcripts, archive, now }: { readonly transcripts: Pick<Transcripts, 'forget'>; archive: boolean; now: number },
): Promise<Removal> {
  await transcripts.forget(path);
  const exists = (await listDir(dirname(path))).some((file) => file.name === basename(path));
  if (!archive || !exists) return { deleted: true, archived: [] };
  const aside = `${path}.deleted.${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  await moveFile(path, aside);
  return { deleted: true, archived: [aside] };
}
