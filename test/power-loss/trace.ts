/** Parses the output of `strace -f -xx`: changes of files below a folder, syncs, and socket messages. */
import { dirname } from 'node:path';
import type { Operation } from './operations.ts';

/** All that can change a file or its name, and what gives names and places to descriptors. */
export const TRACED =
  'openat,open,creat,close,read,lseek,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg,ftruncate,truncate,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,fsync,fdatasync,sync_file_range,copy_file_range,fallocate,socket,accept4';

interface Call {
  readonly name: string;
  readonly args: string;
  readonly begun: number;
  readonly ended: number;
  readonly result: number;
}
interface Open {
  readonly file: number | undefined;
  readonly path: string;
  readonly append: boolean;
  at: number;
}

/**
 * What gives a descriptor does so at its end, what takes one at its beginning: while one thread waits for an opened
 * file, another may give back the very number it will get.
 */
const takesEffect = ({ name, begun, ended }: Call): number =>
  ['openat', 'open', 'socket', 'accept4'].includes(name) ? ended : begun;

/** Calls in the order in which they took effect; those that failed are left out. */
function calls(trace: string): Call[] {
  const open = new Map<string, { name: string; args: string; begun: number }>();
  const found: Call[] = [];
  for (const [place, line] of trace.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest);
    if (resumed) {
      const begun = open.get(thread);
      open.delete(thread);
      if (begun) found.push({ ...begun, ended: place, result: resultOf(resumed[2]!) });
      continue;
    }
    const [, name, args = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (!name) continue;
    if (args.endsWith('<unfinished ...>')) open.set(thread, { name, args, begun: place });
    else found.push({ name, args, begun: place, ended: place, result: resultOf(args) });
  }
  return found.filter(({ result }) => result >= 0).sort((a, b) => takesEffect(a) - takesEffect(b));
}

const resultOf = (text: string): number => Number(/\) += (-?\d+)[^=]*$/.exec(text)?.[1] ?? -1);

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');
const strings = (args: string): Buffer[] =>
  [...args.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) => bytesOf(hex!));
const lastNumber = (args: string): number =>
  Number(
    /(\d+)(?:, \w+)?(?:\)| <unf)/.exec(
      args
        .slice(args.lastIndexOf('"') + 1)
        .replace(/^[^,]*/, '')
        .split(',')
        .slice(-1)[0]!,
    )?.[1] ?? 0,
  );

/** `before`: files that are there when it begins. */
export function readTrace(
  trace: string,
  folder: string,
  before: readonly string[],
): { readonly operations: Operation[]; readonly length: number; readonly files: ReadonlyMap<string, number> } {
  const operations: Operation[] = [];
  const names = new Map<string, number>(before.map((path, index) => [path, index]));
  const files = new Map(names);
  const sizes = new Map<number, number>();
  const handles = new Map<number, Open>();
  const state = { next: before.length };
  const inside = (path: string | undefined): path is string =>
    path !== undefined && (path === folder || path.startsWith(`${folder}/`));

  function put({ begun, ended, result }: Call, handle: Open, data: Buffer, offset: number): void {
    const file = handle.file!;
    operations.push({ kind: 'write', file, offset, data: data.subarray(0, result), begun, ended });
    sizes.set(file, Math.max(sizes.get(file) ?? 0, offset + result));
  }

  function open(call: Call, path: string): void {
    handles.delete(call.result);
    if (!inside(path)) return;
    const when = { begun: call.begun, ended: call.ended };
    if (call.args.includes('O_DIRECTORY') || (!names.has(path) && !call.args.includes('O_CREAT')))
      return void handles.set(call.result, { file: undefined, path, append: false, at: 0 });
    if (!names.has(path)) {
      names.set(path, state.next);
      operations.push({ kind: 'make', path, file: state.next++, ...when });
    }
    const file = names.get(path)!;
    if (call.args.includes('O_TRUNC')) {
      operations.push({ kind: 'size', file, bytes: 0, ...when });
      sizes.set(file, 0);
    }
    handles.set(call.result, { file, path, append: call.args.includes('O_APPEND'), at: 0 });
  }

  const doers: Readonly<Record<string, (call: Call, fd: number, texts: readonly Buffer[]) => void>> = {
    openat: (call, _fd, [path]) => open(call, String(path)),
    open: (call, _fd, [path]) => open(call, String(path)),
    socket: ({ result }) => void handles.delete(result),
    accept4: ({ result }) => void handles.delete(result),
    close: (_call, fd) => void handles.delete(fd),
    read(call, fd) {
      const handle = handles.get(fd);
      if (handle) handle.at += call.result;
    },
    lseek(call, fd) {
      const handle = handles.get(fd);
      if (handle) handle.at = call.result;
    },
    write: (call, fd, texts) => write(call, fd, Buffer.concat(texts)),
    writev: (call, fd, texts) => write(call, fd, Buffer.concat(texts)),
    sendto: (call, fd, texts) => write(call, fd, Buffer.concat(texts)),
    sendmsg: (call, fd, texts) => write(call, fd, Buffer.concat(texts)),
    pwrite64: positioned,
    pwritev: positioned,
    pwritev2: positioned,
    ftruncate(call, fd) {
      const handle = handles.get(fd);
      if (handle?.file === undefined) return;
      const bytes = Number(/^\d+(?:<[^>]*>)?, (\d+)/.exec(call.args)![1]);
      operations.push({ kind: 'size', file: handle.file, bytes, begun: call.begun, ended: call.ended });
      sizes.set(handle.file, bytes);
    },
    rename: (call, _fd, [from, to]) => move(call, String(from), String(to)),
    renameat: (call, _fd, [from, to]) => move(call, String(from), String(to)),
    renameat2: (call, _fd, [from, to]) => move(call, String(from), String(to)),
    unlink: (call, _fd, [path]) => remove(call, String(path)),
    unlinkat: (call, _fd, [path]) => remove(call, String(path)),
    rmdir: (call, _fd, [path]) => remove(call, String(path)),
    mkdir: (call, _fd, [path]) => folderMade(call, String(path)),
    mkdirat: (call, _fd, [path]) => folderMade(call, String(path)),
    fsync: sync,
    fdatasync: sync,
  };

  function write(call: Call, fd: number, data: Buffer): void {
    const handle = handles.get(fd);
    if (handle === undefined)
      return void operations.push({ kind: 'told', text: data.toString(), begun: call.begun, ended: call.ended });
    if (handle.file === undefined) return;
    const offset = handle.append ? (sizes.get(handle.file) ?? 0) : handle.at;
    put(call, handle, data, offset);
    handle.at = offset + call.result;
  }

  function positioned(call: Call, fd: number, texts: readonly Buffer[]): void {
    const handle = handles.get(fd);
    if (handle?.file !== undefined)
      put(call, handle, Buffer.concat(texts), lastNumber(call.args.replace(/\) += .*$/, ')')));
  }

  function move({ begun, ended }: Call, path: string, to: string): void {
    if (!inside(path) || !inside(to)) return;
    operations.push({ kind: 'rename', path, to, begun, ended });
    const file = names.get(path);
    names.delete(path);
    if (file !== undefined) names.set(to, file);
  }

  function remove({ begun, ended }: Call, path: string): void {
    if (!inside(path)) return;
    operations.push({ kind: 'remove', path, begun, ended });
    names.delete(path);
  }

  function folderMade({ begun, ended }: Call, path: string): void {
    if (inside(path)) operations.push({ kind: 'make', path, file: undefined, begun, ended });
  }

  function sync({ begun, ended }: Call, fd: number): void {
    const handle = handles.get(fd);
    if (handle)
      operations.push({
        kind: 'sync',
        file: handle.file,
        path: handle.file === undefined ? handle.path : undefined,
        begun,
        ended,
      });
  }

  for (const call of calls(trace)) {
    const doer = doers[call.name];
    if (doer) doer(call, Number(/^\d+/.exec(call.args)?.[0] ?? -1), strings(call.args));
    else if (
      !['sync_file_range', 'fallocate', 'copy_file_range', 'creat', 'truncate', 'link', 'linkat'].includes(call.name)
    )
      throw new Error(`The recorder knows nothing of ${call.name}.`);
    else if (strings(call.args).some((path) => inside(dirname(String(path)))))
      throw new Error(`The recorder cannot replay ${call.name} ${call.args.slice(0, 200)}.`);
  }
  return { operations, length: trace.split('\n').length, files };
}
