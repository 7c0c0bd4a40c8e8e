/** `backup`: copies the state directory while the gateway runs; a gateway can be started on the copy. */
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { copyDatabase, syncCopy } from '../../platform/copy-database.ts';
import { copyTree, type Copied } from '../../platform/copy-tree.ts';
import { expandPath, type Env } from '../../platform/env.ts';
import {
  copyIfExists,
  ensureDir,
  listDir,
  moveFile,
  realPathIfExists,
  removeIfExists,
  statIfExists,
  syncDir,
} from '../../platform/files.ts';
import { shortId } from '../../platform/ids.ts';
import type { Call } from '../command.ts';
import { openConfig } from '../config-file.ts';
import { withJournalCopy } from '../journal-copy.ts';
import { createSpinner } from '../spinner.ts';

const JOURNAL = 'journal.sqlite';
/** Of the running process, or created again by the next one. */
const OF_THE_PROCESS = new Set([
  'gateway.lock',
  'gateway.held',
  'dashboard.html',
  'restart-sentinel.json',
  'logs',
  'tmp',
]);
/** The database's own files; one that was set aside as damaged is a file like any other. */
const OF_THE_JOURNAL = new Set(['', '-wal', '-shm', '-journal'].map((end) => `${JOURNAL}${end}`));

const isLeftOut = (below: string): boolean =>
  OF_THE_PROCESS.has(below) || OF_THE_JOURNAL.has(below) || /^\..*\.tmp$/.test(basename(below));

export async function backup(call: Call): Promise<void> {
  const { io, args } = call;
  const env = io.env();
  const target = resolve(args[0]!);
  await mustBeFree(target, env);
  const part = join(dirname(target), `.${basename(target)}.${shortId()}.part`);
  using spinner = createSpinner(io);
  spinner.say('copying the journal');
  try {
    await ensureDir(part);
    // The journal first: what happens after it only adds to the files, and what they have more than it knows is
    // harmless.
    const journal = await copyJournal(call, { from: join(env.stateDir, JOURNAL), to: join(part, JOURNAL) });
    const copied = await copyTree(env.stateDir, part, {
      skip: isLeftOut,
      onFile: ({ files, bytes }) => spinner.say(`copied ${files} files, ${mebibytes(bytes)}`),
    });
    await moveFile(part, target);
    await syncDir(dirname(target));
    spinner.rest();
    await report(call, { target, journal, copied, env });
  } catch (error) {
    await removeIfExists(part);
    throw error;
  }
}

/** False: there is none. A gateway that runs has its journal for itself, and makes the copy. */
async function copyJournal(call: Call, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
  const copied = await copyDatabase(from, to);
  if (copied === 'none') return false;
  if (copied === 'held') await withJournalCopy(await call.gateway(), call.io.env(), (path) => copyIfExists(path, to));
  await syncCopy(to, from);
  return true;
}

interface Made {
  readonly target: string;
  readonly journal: boolean;
  readonly copied: Copied;
  readonly env: Env;
}

async function report({ io, flags }: Call, { target, journal, copied, env }: Made): Promise<void> {
  const { files, bytes, links } = copied;
  const elsewhere = [
    ...links
      .filter((link) => leadsOut(link, env.stateDir))
      .map(({ at, metaRefreshTarget }) => `the target of the link ${at} (${metaRefreshTarget})`),
    ...(await elsewhereOf(env)),
  ];
  if (flags.has('json')) return io.out(JSON.stringify({ path: target, journal, files, bytes, elsewhere }, null, 2));
  io.out(
    `${target} holds a copy of ${env.stateDir}: ${journal ? 'the journal and ' : ''}${files} ` +
      `${files === 1 ? 'file' : 'files'}, ` +
      `${mebibytes(bytes)}. It contains your secrets; store it safely.`,
  );
  for (const one of elsewhere) io.out(`Not included: ${one}.`);
}

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;

async function mustBeFree(target: string, { stateDir }: Env): Promise<void> {
  const state = await realPathIfExists(stateDir);
  if (state === undefined)
    throw new AppError(
      'not_found',
      `Nothing to back up: ${stateDir} does not exist. Set CLAWDBOT_STATE_DIR to use another directory.`,
    );
  if (isWithin(await realPlace(target), state))
    throw new AppError('invalid', `${target} is inside the state directory; choose another folder.`);
  const there = await statIfExists(target);
  if (there && (there.kind !== 'directory' || (await listDir(target)).length > 0))
    throw new AppError(
      'conflict',
      `${target} already exists. Choose a new folder, for example with the date in its name.`,
    );
}

/** Where a path that is not there yet would lie, links followed. */
async function realPlace(path: string): Promise<string> {
  const real = await realPathIfExists(path);
  return real ?? (dirname(path) === path ? path : join(await realPlace(dirname(path)), basename(path)));
}

function isWithin(path: string, folder: string): boolean {
  const relativePath = relative(folder, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/** A link by its whole path would lead back to the original from the copy. */
const leadsOut = ({ at, metaRefreshTarget }: Copied['links'][number], stateDir: string): boolean =>
  isAbsolute(metaRefreshTarget) || !isWithin(resolve(stateDir, dirname(at), metaRefreshTarget), stateDir);

/** What people would miss and the state directory does not hold. */
async function elsewhereOf(env: Env): Promise<readonly string[]> {
  await using store = await openConfig(env);
  const { agents } = store.current();
  const workspaces = [agents.defaults.workspace, ...agents.list.flatMap(({ workspace }) => workspace ?? [])].map(
    (path) => expandPath(path, env.home),
  );
  const outside = [...new Set(workspaces)]
    .filter((path) => !isWithin(path, env.stateDir))
    .map((path) => `${path} (a workspace)`);
  const config = store.snapshot();
  return [
    ...outside,
    ...(config.exists && !isWithin(config.path, env.stateDir) ? [`${config.path} (the configuration)`] : []),
  ];
}
