/**
 * All processes of the gateway: started, listed, reported, removed, and resumed after a restart. The folder of each is
 * its record.
 */
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Processes, ProcessView } from '../../../core/shell.ts';
import type { Clock, Timer } from '../../../platform/clock.ts';
import { removeIfExists } from '../../../platform/files.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import { makeFolder } from '../platform/new-folder.ts';
import { createFifoPool } from '../platform/fifo-pool.ts';
import { createInputKeeper } from '../platform/input-keeper.ts';
import { hold } from '../platform/hold.ts';
import { sharedScan } from '../platform/process-scan.ts';
import { FRESH } from '../platform/spool.ts';
import { agentProcesses, listOf, type AgentProcessStore } from './agent-processes.ts';
import { HeldProcess } from './held-process.ts';
import { filesOf, type ProcessRecord } from './process-record.ts';
import type { ProcessOwner, ProcessSpec } from './process-spec.ts';
import type { Limits } from './process-output.ts';
import { takeUp, type TakenUp } from './re-attach.ts';
import { expired, sweepEvery } from './retention.ts';
import { newSlug } from './slug.ts';
import { startedOf, type Started } from './started.ts';

export type { Started } from './started.ts';

export interface ExitedProcess {
  readonly owner: ProcessOwner;
  readonly view: ProcessView;
  /** Its agent heard of it meanwhile, by looking. */
  wasNotified(): boolean;
}

export interface ProcessesDeps {
  /** `<stateDir>/processes`. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds an ended one is remembered. */
  cleanupMs(): number;
  ownerExists(owner: ProcessOwner): boolean;
  /**
   * A background one ended by itself or by its timeout. Asked again, also in the next run, until it resolves; killed
   * ones are not told.
   */
  onExit(ended: ExitedProcess): Promise<void>;
}

export interface ProcessesView {
  /** What a poll shows of long output. */
  readonly delivered?: Limits;
  /** Others of the agent do not exist; absent: all do. */
  readonly sees?: ((process: Pick<ProcessRecord, 'owner' | 'host'>) => boolean) | undefined;
}

export interface ProcessRegistry {
  start(spec: ProcessSpec): Promise<Started | { readonly problem: string }>;
  /** Of one agent; undefined: of everybody. */
  of(agentId: string | undefined, view?: ProcessesView): Processes;
  list(agentId?: string): Promise<readonly ProcessView[]>;
  /** Told when one starts in or goes to the background, and when it ends. */
  subscribe(listener: (view: ProcessView) => void): () => void;
  /** Told, some times a second, of each in the background that wrote something; `view` is how it is now. */
  onOutput(listener: (id: string, view: () => ProcessView) => void): () => void;
  /** At the start of the gateway: what an earlier run left behind is watched again, reported or ended. */
  attach(): Promise<TakenUp>;
  /** True when its agent knows that it ended. */
  wasNotified(id: string): Promise<boolean>;
  /** The gateway goes: background ones stay, foreground ones are ended. */
  suspend(): Promise<void>;
}

/** What is no process begins with a dot. */
const PIPES = '.pipes';
const KEEPER = '.keeper';

export function createProcesses(deps: ProcessesDeps): ProcessRegistry {
  const floor = createFloor(deps);
  const { processes, listeners, readers, working, realm, markOf, keeper, scan, pipes, changed, grew } = floor;
  const ends = createEnds(deps, floor);
  const starts = createStarts(deps, floor, ends.over);
  const held = { keeper, scan, clock: deps.clock, log: deps.log, changed, grew, over: ends.over };

  const storeOf = (agentId: string | undefined, { sees }: ProcessesView = {}): AgentProcessStore => {
    const visible = ({ record }: HeldProcess): boolean =>
      (agentId === undefined || record.owner.agentId === agentId) && (sees?.(record) ?? true);
    return {
      find: (id) => {
        const found = processes.get(id);
        return found && visible(found) ? found : undefined;
      },
      all: () => [...processes.values()].filter(visible),
      remove: floor.remove,
    };
  };

  return {
    start: starts.start,
    of: (agentId, view) => agentProcesses(storeOf(agentId, view), view?.delivered),
    list: (agentId) => listOf(storeOf(agentId).all()),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onOutput(reader) {
      readers.add(reader);
      return () => void readers.delete(reader);
    },
    attach: () =>
      takeUp({
        dir: deps.dir,
        realm,
        markOf,
        keeper,
        scan,
        ownerExists: deps.ownerExists,
        log: deps.log,
        known: (id) => processes.has(id),
        open: (folder, record) => new HeldProcess({ folder, mark: markOf(record.id), record, ...held }),
        keep: (process) => void processes.set(process.record.id, process),
        over: ends.over,
      }),
    wasNotified: async (id) => processes.get(id)?.record.told ?? true,
    async suspend() {
      floor.state.closing = true;
      ends.rest();
      const foreground = [...processes.values()].filter(({ record }) => !record.background);
      await Promise.all(foreground.map((process) => process.end('aborted')));
      await Promise.all(foreground.map(starts.discard));
      await Promise.all([...processes.values()].map((process) => process.release()));
      await Promise.all(working);
      await keeper.settled();
      await pipes[Symbol.asyncDispose]();
    },
  };
}

type Floor = ReturnType<typeof createFloor>;

/** What starting, ending and taking up have in common: the processes there are, and what each is held with. */
function createFloor({ dir, log }: ProcessesDeps) {
  const processes = new Map<string, HeldProcess>();
  const listeners = new Set<(view: ProcessView) => void>();
  const readers = new Set<(id: string, view: () => ProcessView) => void>();
  const working = new Set<Promise<void>>();
  const realm = sha256Hex(dir).slice(0, 12);
  return {
    processes,
    listeners,
    readers,
    working,
    realm,
    state: { closing: false },
    pipes: createFifoPool(join(dir, PIPES)),
    keeper: createInputKeeper({ path: join(dir, KEEPER), mark: `${KEEPER}@${realm}` }),
    scan: sharedScan(),
    folderOf: (id: string): string => join(dir, id),
    markOf: (id: string): string => `${id}@${realm}`,
    changed(process: HeldProcess): void {
      if (process.record.background) for (const listener of listeners) listener(process.view());
    },
    grew(process: HeldProcess): void {
      if (process.record.background) for (const reader of readers) reader(process.record.id, () => process.view());
    },
    /** Work nobody waits for but the end of the gateway. */
    behind(work: Promise<void>): void {
      const watched: Promise<void> = work
        .catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          log.warn('process.cleanup', { error: error.message });
        })
        .finally(() => working.delete(watched));
      working.add(watched);
    },
    async remove(process: HeldProcess): Promise<void> {
      await process.forget();
      if (processes.get(process.record.id) === process) processes.delete(process.record.id);
      await removeIfExists(process.folder);
    },
  };
}

/** What becomes of processes that ended: their agents are told, and in time they are forgotten. */
function createEnds(deps: ProcessesDeps, { processes, state, behind, remove }: Floor) {
  const { clock, log } = deps;
  const announcing = new Set<HeldProcess>();
  let sweep: Timer | undefined;

  async function announce(process: HeldProcess): Promise<void> {
    if (state.closing || process.record.told || announcing.has(process)) return;
    announcing.add(process);
    try {
      await deps.onExit({
        owner: process.record.owner,
        view: process.view(),
        wasNotified: () => processes.get(process.record.id)?.record.told ?? true,
      });
      await process.change({ told: true });
    } catch (error) {
      log.warn('process.untold', {
        id: process.record.id,
        error: error instanceof Error ? error.message : String(error),
      });
    } finally {
      announcing.delete(process);
    }
  }

  function sweepSoon(): void {
    if (state.closing) return;
    sweep ??= clock
      .setTimeout(() => {
        sweep = undefined;
        behind(sweepNow());
      }, sweepEvery(deps.cleanupMs()))
      .unref();
  }

  async function sweepNow(): Promise<void> {
    const ended = [...processes.values()].filter(({ record }) => record.background && record.over);
    await Promise.all(ended.map((process) => process.recountDaemons()));
    const facts = ended.map((process) => ({
      process,
      endedAt: process.record.outcome?.at ?? 0,
      bytes: process.output.facts().bytes - process.output.facts().dropped,
      needed: !process.record.told || process.record.daemons.length > 0,
    }));
    for (const { process } of expired(facts, { now: clock.now(), cleanupMs: deps.cleanupMs() })) await remove(process);
    for (const process of ended) if (processes.has(process.record.id)) behind(announce(process));
    if (ended.some((process) => processes.has(process.record.id))) sweepSoon();
  }

  return {
    over(process: HeldProcess): void {
      if (!process.record.background) return;
      // Should that poll come to nothing after all, the next sweep finds it untold.
      if (!process.awaited()) behind(announce(process));
      sweepSoon();
    },
    /** No sweep begins any more. */
    rest: (): void => sweep?.cancel(),
  };
}

/** Starts processes, each in a folder of its own. */
function createStarts({ clock, log }: ProcessesDeps, floor: Floor, over: (process: HeldProcess) => void) {
  const { processes, state, pipes, keeper, scan, folderOf, markOf, changed, grew, behind, remove } = floor;

  async function begin(spec: ProcessSpec): Promise<Started | { readonly problem: string }> {
    const id = await newFolder();
    try {
      const started = await beginIn(id, spec);
      if ('problem' in started) await removeIfExists(folderOf(id));
      return started;
    } catch (error) {
      await removeIfExists(folderOf(id));
      throw error;
    }
  }

  async function beginIn(id: string, spec: ProcessSpec): Promise<Started | { readonly problem: string }> {
    const [folder, mark] = [folderOf(id), markOf(id)];
    const record = newRecord(id, spec, clock.now());
    const files = filesOf(folder);
    const { argv, env, cwd, pty } = spec;
    const held = await hold({ argv, env, cwd, pty, mark, files, held: await pipes.take(files.input) });
    if ('problem' in held) return held;
    const process = new HeldProcess({
      folder,
      mark,
      record: { ...record, holder: { pid: held.pid, birth: '' } },
      keeper,
      scan,
      clock,
      log,
      held,
      hooks: spec,
      changed,
      grew,
      over,
    });
    processes.set(id, process);
    process.attend();
    return startedOf(process, { pid: held.pid, discarded: () => behind(discard(process)) });
  }

  /** Its folder, made just now, so that nobody else has the name. */
  async function newFolder(): Promise<string> {
    for (const taken = new Set(processes.keys()); ; ) {
      const id = newSlug((slug) => taken.has(slug));
      if (await makeFolder(folderOf(id))) return id;
      taken.add(id);
    }
  }

  /** What it left behind makes a process of the background of it. */
  async function discard(process: HeldProcess): Promise<void> {
    await process.settled;
    if (!process.record.background) await remove(process);
  }

  return {
    discard,
    async start(spec: ProcessSpec): Promise<Started | { readonly problem: string }> {
      if (state.closing) return { problem: 'The command was not started: the gateway is stopping.' };
      try {
        return await begin(spec);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { problem: `The command was not started: ${error.message}` };
      }
    },
  };
}

function newRecord(id: string, spec: ProcessSpec, startedAt: number): ProcessRecord {
  return {
    version: 1,
    id,
    owner: spec.owner,
    command: spec.command,
    cwd: spec.shownCwd ?? spec.cwd,
    host: spec.host,
    pty: spec.pty,
    startedAt,
    timeoutMs: spec.timeoutMs,
    spoolMaxBytes: spec.spoolMaxBytes,
    background: false,
    inputClosed: false,
    cursor: 0,
    spool: FRESH,
    diskFull: false,
    over: false,
    told: false,
    daemons: [],
  };
}
