/** `sessions file`: saves a file that the agent sent in a session. */
import { basename, resolve } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { sizeText } from '../../core/size-text.ts';
import { statIfExists, writeFileAtomic } from '../../platform/files.ts';
import type { Call } from '../command.ts';
import { fetchFile } from '../fetch-file.ts';

export async function sessionsFile(call: Call): Promise<void> {
  const [key, id] = call.args as [string, string];
  const out = call.flags.text('out') ?? basename(id);
  const there = await statIfExists(resolve(out));
  if (there && !call.flags.has('force'))
    throw new AppError('conflict', `${out} already exists; choose another with --out, or overwrite it with --force.`);
  const data = await fetchFile(await call.gateway(), key, id);
  await writeFileAtomic(resolve(out), data, { mode: 0o644 });
  call.io.out(
    call.flags.has('json')
      ? JSON.stringify({ path: resolve(out), size: data.length })
      : `Saved as ${out} (${sizeText(data.length)}).`,
  );
}
