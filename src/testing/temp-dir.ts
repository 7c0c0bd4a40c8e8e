/** A temporary directory for a test, removed when the test ends. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempDir extends AsyncDisposable {
  readonly path: string;
}

/** `await using dir = await tempDir();` */
export async function tempDir(name = 'test'): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), `clawdbot-${name}-`)));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
