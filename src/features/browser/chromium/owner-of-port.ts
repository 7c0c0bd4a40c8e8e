/** Identifies the process on the port of a profile: our browser by its data folder, another program, or none. */
import { resolve } from 'node:path';
import { startTimeOf, endProcess, stillRuns } from '../../../platform/process-identity.ts';
import { pause } from '../../../platform/pause.ts';
import { commandLineOf, listenerOf } from '../platform/port-listener.ts';

/** `ours`: a browser that was started with the data folder of the profile. */
export type PortOwner =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'stranger'; readonly pid?: number; readonly program?: string }
  | { readonly kind: 'ours'; readonly pid: number; readonly birth: string };

const GONE_MS = 3000;
const UNSEEN_MS = 1000;
const POLL_MS = 20;

/** Verified by the command line of the listening process: its data folder, and its port or the automatic one. */
export async function ownerOfPort({
  port,
  userDataDir,
  likely,
}: {
  readonly port: number;
  readonly userDataDir: string;
  /** It, or one it started, is looked at first. */
  readonly likely?: number;
}): Promise<PortOwner> {
  const listener = await seenListener(port, likely);
  if (!listener.taken) return { kind: 'nobody' };
  const { pid } = listener;
  if (pid === undefined) return { kind: 'stranger' };
  const birth = await startTimeOf(pid);
  const line = (await commandLineOf(pid)) ?? [];
  const isOurs =
    birth !== undefined &&
    line.some((word) => isFolder(word, userDataDir)) &&
    [port, 0].some((candidate) => line.includes(`--remote-debugging-port=${candidate}`));
  return isOurs ? { kind: 'ours', pid, birth } : { kind: 'stranger', pid, program: (line[0] ?? '').slice(0, 200) };
}

/** Retries for a moment, because an ending process can still listen without being visible. */
async function seenListener(port: number, likely: number | undefined): ReturnType<typeof listenerOf> {
  for (const until = performance.now() + UNSEEN_MS; ; await pause(POLL_MS)) {
    const listener = await listenerOf(port, likely);
    if (!listener.taken || listener.pid !== undefined || performance.now() > until) return listener;
  }
}

/** Ends exactly this process; false if it is still running. */
export async function endOwner({ pid, birth }: { readonly pid: number; readonly birth: string }): Promise<boolean> {
  await endProcess({ pid, birth });
  for (const until = performance.now() + GONE_MS; performance.now() < until; await pause(POLL_MS))
    if (!(await stillRuns(pid, birth))) return true;
  return false;
}

function isFolder(word: string, folder: string): boolean {
  const prefix = '--user-data-dir=';
  return word.startsWith(prefix) && resolve(word.slice(prefix.length)) === resolve(folder);
}
