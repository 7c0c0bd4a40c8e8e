/** A temporary copy of the journal, made by the gateway that has it open. */
import { basename, join } from 'node:path';
import { AppError } from '../core/errors.ts';
import type { Env } from '../platform/env.ts';
import { removeIfExists, statIfExists } from '../platform/files.ts';
import type { GatewayLink } from './gateway-link.ts';

/** As the gateway calls them; anything else is no copy. */
const NAME = /^journal-[0-9a-f-]{36}\.sqlite$/;

/**
 * What answers may be another machine, or no gateway of ours: only its word on the name counts, below our own state
 * directory, and nothing else is read or removed.
 */
export async function withJournalCopy<T>(
  link: GatewayLink,
  { stateDir }: Pick<Env, 'stateDir'>,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { path: copied } = await link.request<{ readonly path: string }>('journal.copy', {});
  const path = join(stateDir, 'tmp', basename(copied));
  if (!NAME.test(basename(copied)) || (await statIfExists(path))?.kind !== 'file')
    throw new AppError(
      'conflict',
      `${join(stateDir, 'journal.sqlite')} is locked by a process other than this gateway. Stop that ` +
        `process, or select its gateway with \`--url\`.`,
    );
  try {
    return await use(path);
  } finally {
    await removeIfExists(path);
  }
}
