/** Finds processes of this machine by the TCP port they listen on, or by an argument of their command line. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { exec } from '../../../platform/exec.ts';
import { errnoOf } from '../../../platform/storage-error.ts';
import { findProgram } from '../../../platform/find-program.ts';

/** `taken` without `pid`: the listening process belongs to another user. */
export type PortListener = { readonly taken: false } | { readonly taken: true; readonly pid?: number };

/** The state LISTEN in `/proc/net/tcp`. */
const LISTEN = '0A';
const AT_ONCE = 64;
const PS = { env: { PATH: '/usr/sbin:/usr/bin:/bin' }, timeoutMs: 5000, maxOutputBytes: 256 * 1024 } as const;

/**
 * Reads the tables of the system; sends nothing to the port. `likely`: a process that is checked first, with its
 * children.
 */
export async function listenerOf(port: number, likely?: number): Promise<PortListener> {
  if (process.platform !== 'linux') return listenerByProgram(port);
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(textOf));
  const sockets = new Set(tables.flatMap((table) => listening(table ?? '', port)));
  if (sockets.size === 0) return { taken: false };
  const near = likely === undefined ? [] : [likely, ...(await startedBy(likely))];
  const pid = (await holderOf(sockets, near)) ?? (await holderOf(sockets, await processIds()));
  return pid === undefined ? { taken: true } : { taken: true, pid };
}

/** The arguments a process was started with; undefined if it ended or belongs to another user. */
export async function commandLineOf(pid: number): Promise<readonly string[] | undefined> {
  if (process.platform === 'linux') {
    const line = await textOf(`/proc/${pid}/cmdline`);
    return line === undefined || line === '' ? undefined : line.replace(/\0$/, '').split('\0');
  }
  const found = await exec({
    ...PS,
    command: 'ps',
    args: ['-ww', '-o', 'command=', '-p', String(pid)],
    signal: never(),
  });
  const line = found.kind === 'exited' && found.code === 0 ? found.stdout.toString('utf8').trim() : '';
  return line === '' ? undefined : line.split(/ (?=--)/);
}

/** Processes of this user that were started with this argument. Only on Linux; elsewhere none are found. */
export async function processesWith(word: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const found = await Promise.all(
    (await processIds()).map(async (pid) => ((await commandLineOf(pid))?.includes(word) ? pid : 0)),
  );
  return found.filter((pid) => pid > 0);
}

const processIds = async (): Promise<readonly number[]> =>
  (await namesIn('/proc')).map(Number).filter((pid) => pid > 0);

/** Inode numbers of the sockets that listen on the port. */
function listening(table: string, port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === LISTEN && local.endsWith(`:${wanted}`) && inode !== undefined ? [inode] : [];
  });
}

async function startedBy(pid: number): Promise<readonly number[]> {
  const line = await textOf(`/proc/${pid}/task/${pid}/children`);
  return (line ?? '').split(' ').filter(Boolean).map(Number);
}

/** The first of these processes that has one of these sockets open. */
async function holderOf(inodes: ReadonlySet<string>, pids: readonly number[]): Promise<number | undefined> {
  for (let at = 0; at < pids.length; at += AT_ONCE) {
    const held = await Promise.all(
      pids.slice(at, at + AT_ONCE).map(async (pid) => ((await holds(pid, inodes)) ? pid : 0)),
    );
    const found = held.find((pid) => pid > 0);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function holds(pid: number, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all((await namesIn(folder)).map((name) => linkOf(`${folder}/${name}`)));
  return targets.some((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target ?? '')?.[1] ?? ''));
}

async function listenerByProgram(port: number): Promise<PortListener> {
  const lsof = await findProgram('lsof', PS.env.PATH);
  if (lsof === undefined) return { taken: false };
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'];
  const found = await exec({ ...PS, command: lsof, args, signal: never() });
  const pid = found.kind === 'exited' ? Number(found.stdout.toString('utf8').trim().split('\n')[0]) : 0;
  return pid > 0 ? { taken: true, pid } : { taken: false };
}

const never = (): AbortSignal => new AbortController().signal;

const textOf = (path: string): Promise<string | undefined> => ifAllowed(() => readFile(path, 'latin1'));
const linkOf = (path: string): Promise<string | undefined> => ifAllowed(() => readlink(path));
const namesIn = async (path: string): Promise<readonly string[]> => (await ifAllowed(() => readdir(path))) ?? [];

/** The process ended meanwhile, or belongs to another user. */
async function ifAllowed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
