/** Processes of an earlier run of the gateway: supervised again, reported, or killed. */
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import { listDir, removeIfExists } from '../../../platform/files.ts';
import { stillRuns } from '../../../platform/process-identity.ts';
import type { InputKeeper } from '../platform/input-keeper.ts';
import type { ProcessScan } from '../platform/process-scan.ts';
import { endTree, membersOf } from '../platform/tree.ts';
import type { HeldProcess } from './held-process.ts';
import { readRecord, type ProcessRecord } from './process-record.ts';
import type { ProcessOwner } from './process-spec.ts';

export interface TakenUp {
  readonly running: number;
  readonly endedMeanwhile: number;
  readonly killed: number;
}

export interface TakeUpDeps {
  readonly dir: string;
  readonly realm: string;
  readonly log: Log;
  readonly keeper: InputKeeper;
  readonly scan: ProcessScan;
  markOf(id: string): string;
  ownerExists(owner: ProcessOwner): boolean;
  /** Started by this run already. */
  known(id: string): boolean;
  open(folder: string, record: ProcessRecord): HeldProcess;
  keep(process: HeldProcess): void;
  /** One that had ended before; somebody may have to be told yet. */
  over(process: HeldProcess): void;
}

type Fate = 'running' | 'endedMeanwhile' | 'killed' | 'remembered' | 'forgotten';

export async function takeUp(deps: TakeUpDeps): Promise<TakenUp> {
  const folders = (await listDir(deps.dir)).filter(({ kind, name }) => kind === 'directory' && !deps.known(name));
  let fates: readonly Fate[] = [];
  await deps.keeper.takeOver(async () => {
    fates = await Promise.all(
      folders.map(({ name }) => (name.startsWith('.') ? litter(join(deps.dir, name)) : fateOrTrouble(name, deps))),
    );
  });
  const orphans = await endOrphans(new Set((await listDir(deps.dir)).map(({ name }) => name)), deps);
  const count = (fate: Fate): number => fates.filter((each) => each === fate).length;
  return { running: count('running'), endedMeanwhile: count('endedMeanwhile'), killed: count('killed') + orphans };
}

async function litter(folder: string): Promise<Fate> {
  await removeIfExists(folder);
  return 'forgotten';
}

/**
 * One folder in trouble must not keep the others from being taken up; it stays as it is, for a person or a better day.
 */
async function fateOrTrouble(id: string, deps: TakeUpDeps): Promise<Fate> {
  try {
    return await fateOf(id, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    deps.log.warn('process.unreadable', { id, error: error.message });
    return 'forgotten';
  }
}

async function fateOf(id: string, deps: TakeUpDeps): Promise<Fate> {
  const folder = join(deps.dir, id);
  const record = await readRecord(folder);
  if (!record || record.id !== id) return litter(folder);
  const owned = record.background && deps.ownerExists(record.owner);
  if (!owned) return endAbandoned(folder, record, deps);
  const process = deps.open(folder, record);
  deps.keep(process);
  await process.takeUp();
  if (record.over) {
    deps.over(process);
    return 'remembered';
  }
  return process.record.over ? 'endedMeanwhile' : 'running';
}

/** In the foreground of a turn that is no more, or of an agent that is no more. */
async function endAbandoned(
  folder: string,
  { id, holder }: ProcessRecord,
  { markOf, scan, log }: TakeUpDeps,
): Promise<Fate> {
  const runs = holder !== undefined && (await stillRuns(holder.pid, holder.birth));
  const tree = present({ mark: markOf(id), pid: runs ? holder.pid : undefined });
  const there = (await membersOf(tree, scan)).length > 0;
  const left = there ? await endTree(tree, { graceMs: 0, scan }) : [];
  if (left.length > 0) log.warn('process.survives', { id, pids: left.map(({ pid }) => pid) });
  await removeIfExists(folder);
  return there ? 'killed' : 'forgotten';
}

/** Whatever bears a mark of ours and has no record: its folder was removed, or never written. */
async function endOrphans(known: ReadonlySet<string>, { realm, markOf, scan }: TakeUpDeps): Promise<number> {
  const { marks } = await scan();
  const ids = new Set(
    [...marks.values()]
      .flatMap((mark) => (mark.endsWith(`@${realm}`) ? [mark.slice(0, -realm.length - 1)] : []))
      .filter((id) => !known.has(id) && !id.startsWith('.')),
  );
  await Promise.all([...ids].map((id) => endTree({ mark: markOf(id) }, { graceMs: 0, scan })));
  return ids.size;
}
