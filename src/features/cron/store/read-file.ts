/**
 * Reads `jobs.json`. If it is invalid, a copy is kept and the last valid version is used in memory; the file is not
 * changed.
 */
import { AppError, asAppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { copyIfExists, readTextIfExists, statIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { parseJobs, stampOf, type Head, type JobsText } from './jobs-file.ts';

export interface ReadFile {
  readonly jobs: readonly unknown[];
  /** Absent: nothing is known of it. */
  readonly head?: Head;
  readonly stamp: string;
  /** There is no file. */
  readonly gone?: true;
  /** The jobs are those of the last good copy. */
  readonly recovered?: true;
  readonly problem?: string;
}

export interface ReadFileDeps {
  readonly path: string;
  readonly log: Log;
}

/** Never rejects: trouble with the disk is a problem like any other. */
export async function readGood({ path, log }: ReadFileDeps): Promise<ReadFile> {
  const stamp = await stampOf(path);
  const text = await readTextIfExists(path).catch((error: unknown) => asAppError(error, 'storage'));
  if (text === undefined) return gone(path, log);
  if (typeof text !== 'string')
    return recovered(path, {
      stamp,
      problem: `${text.message} Until then the jobs of the last valid copy run, and no job can be changed.`,
    });
  const parsed = await parseJobs(text);
  if (parsed.kind === 'good') {
    await keepCopy(path, text, log);
    return { jobs: parsed.jobs, head: parsed.head, stamp };
  }
  if (parsed.kind === 'blank' && (await lastGood(path)).jobs.length === 0) return { jobs: [], stamp };
  const aside = await setAside(path, path, 'broken', log);
  return recovered(path, { stamp, problem: whatToDo(path, parsed, aside) });
}

/** Whoever took the file away meant it; its last copy is not written over by what comes next. */
async function gone(path: string, log: Log): Promise<ReadFile> {
  const left = (await lastGood(path)).jobs.length;
  if (left > 0)
    log.warn('cron.store.gone', { path, jobs: left, aside: await setAside(path, `${path}.bak`, 'gone', log) });
  return { jobs: [], stamp: '', gone: true };
}

async function keepCopy(path: string, text: string, log: Log): Promise<void> {
  try {
    if ((await readTextIfExists(`${path}.bak`)) !== text) await writeFileAtomic(`${path}.bak`, text, { sync: false });
  } catch (error) {
    log.warn('cron.store.copy', { path, error });
  }
}

/** One copy for one state of the file, however often it is met. */
async function setAside(path: string, from: string, word: string, log: Log): Promise<string | undefined> {
  try {
    const facts = await statIfExists(from);
    const aside = `${path}.${word}-${new Date(facts?.modifiedAt ?? 0).toISOString().replaceAll(/[:.]/g, '-')}`;
    return (await copyIfExists(from, aside)) ? aside : undefined;
  } catch (error) {
    log.error('cron.store.set-aside', { path: from, error });
    return undefined;
  }
}

const whatToDo = (path: string, parsed: Exclude<JobsText, { kind: 'good' }>, aside: string | undefined): string =>
  `${path} cannot be read: ${parsed.kind === 'blank' ? 'it is empty' : parsed.why}. Fix it, or copy ` +
  `${path}.bak over it${aside ? `; the invalid file was copied to ${aside}` : ''}. Until then, the jobs of ` +
  'the last valid copy run, and no job can be changed.';

async function recovered(path: string, rest: Pick<ReadFile, 'stamp' | 'problem'>): Promise<ReadFile> {
  return { ...(await lastGood(path)), ...rest, recovered: true };
}

/** Then nothing is left, and the problem is told already. */
function unreadable(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

async function lastGood(path: string): Promise<{ readonly jobs: readonly unknown[]; readonly head?: Head }> {
  const text = await readTextIfExists(`${path}.bak`).catch(unreadable);
  const parsed = text === undefined ? undefined : await parseJobs(text);
  return parsed?.kind === 'good' ? { jobs: parsed.jobs, head: parsed.head } : { jobs: [] };
}
