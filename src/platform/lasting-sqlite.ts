/**
 * A SQLite database that survives the loss of its files: if they are deleted, replaced or truncated while the process
 * runs, rows are kept, or the loss is reported.
 */
import { asAppError, AppError } from '../core/errors.ts';
import { ignoreOutcome, whenOver } from './settled.ts';
import {
  openSqlite,
  type OpenSqlite,
  type Sqlite,
  type SqliteOptions,
  type SqlSession,
  type WriteOptions,
} from './sqlite.ts';
import type { Rescue } from './sqlite-rescue.ts';
import { watchSqlite, type SqliteWatch, type Vanished } from './sqlite-watch.ts';

/** A database that survives its files being moved or deleted while it is open. */
export interface LastingSqlite extends Sqlite {
  /** Checks now whether the files are where they were; `failure` tells, and the rescue has begun. */
  check(): void;
  /**
   * Writes a whole copy to a path that is not there yet, while all goes on; every commit that was told before is in it.
   */
  copy(to: string): Promise<void>;
  /** What is missing since the files vanished, for as long as this process runs. */
  readonly loss: string | undefined;
}

/** How the files are watched, besides how the database is opened. */
export interface LastingOptions extends SqliteOptions {
  /** The files had vanished, and there are some again. */
  readonly onRescue?: ((rescue: Rescue & { readonly why: string }) => void) | undefined;
  /** Milliseconds between two checks while nobody writes. */
  readonly pollMs?: number | undefined;
}

const POLL_MS = 2000;

interface LastingFile {
  readonly sql: OpenSqlite;
  readonly watch: SqliteWatch;
}

interface LastingState {
  file: LastingFile;
  failure?: AppError | undefined;
  rescue?: Promise<void> | undefined;
  loss?: string;
  closed?: boolean;
}

/** What is made after the file that asks for it. */
interface Late {
  refuses?: () => AppError | undefined;
}

/** Opens (creating) `path` and applies `schema`. Throws `AppError('storage')` naming the file. */
export function openLastingSqlite(
  path: string,
  schema: string,
  { onRescue, pollMs = POLL_MS, ...disk }: LastingOptions = {},
): LastingSqlite {
  const [refusals, late]: [WeakSet<object>, Late] = [new WeakSet(), {}];
  const open = (): LastingFile => openFile(path, schema, { ...disk, refuses: () => late.refuses?.() });
  const state: LastingState = { file: open() };
  const polling = setInterval(() => check(), pollMs).unref();
  late.refuses = refuses;

  function check(scope: 'check' | 'checkLog' = 'check'): void {
    if (state.rescue || state.closed) return;
    const vanished = state.file.watch[scope]();
    state.failure = vanished && failureOf(vanished);
    if (vanished && vanished.kind !== 'unreachable')
      state.rescue = rescue(vanished).finally(() => {
        state.rescue = undefined;
      });
  }

  /**
   * Asked where it is committed, not where it is queued: a commit fills a log up again that was shortened meanwhile,
   * and nobody would see the hole. Whether the database is there is seen before anybody is told.
   */
  function refuses(): AppError | undefined {
    check('checkLog');
    if (state.failure) refusals.add(state.failure);
    return state.failure;
  }

  /** Never rejects: what it could not do is the failure. */
  async function rescue(vanished: Vanished): Promise<void> {
    const { sql } = state.file;
    try {
      const done = await rescued(sql, { path, vanished });
      state.file = open();
      await ignoreOutcome(sql.close()); // its files are not where they were
      state.failure = undefined;
      if (!done.whole) state.loss = lossOf(vanished, done);
      onRescue?.({ ...done, why: vanished.why });
    } catch (error) {
      state.failure = asAppError(error, 'storage');
    }
  }

  /** Ends when the files are there; rejects while they cannot be. */
  async function settled(): Promise<void> {
    check();
    await state.rescue;
    if (state.failure) throw state.failure;
  }

  return {
    write: writer({ state, refusals, check, settled }),
    synced: () => state.file.sql.synced(),
    read: readThrough(() => state.file.sql.read),
    check: () => check(),
    async copy(to) {
      await settled();
      const { copySqlite } = await import('./copy-database.ts');
      await copySqlite(state.file.sql.db, to);
    },
    get failure() {
      return state.failure ?? state.file.sql.failure;
    },
    pace: () => state.file.sql.pace(),
    get loss() {
      return state.loss;
    },
    async close() {
      clearInterval(polling);
      await state.rescue;
      check();
      await state.rescue;
      state.closed = true;
      await state.file.sql.close();
    },
  };
}

interface WriterDeps {
  readonly state: LastingState;
  /** With what commits were refused because the files had vanished. */
  readonly refusals: Pick<WeakSet<object>, 'has'>;
  check(): void;
  settled(): Promise<void>;
}

function writer({ state, refusals, check, settled }: WriterDeps): LastingSqlite['write'] {
  let checked = false;

  /** Writes that share a sync are told in one step of the process: one look serves them all. */
  function checkOnce(): void {
    if (checked) return;
    checked = true;
    process.nextTick(() => (checked = false));
    check();
  }

  return async function write<T>(work: (sql: SqlSession) => T, options?: WriteOptions): Promise<T> {
    if (state.failure) await settled();
    let result: T;
    try {
      result = await state.file.sql.write(work, options);
    } catch (error) {
      if (!(error instanceof AppError) || !refusals.has(error)) throw error;
      await settled();
      return write(work, options);
    }
    if (options?.sync === false || options?.lazy) return result;
    // Data on disk in a file that nobody finds again is lost: it is acknowledged only once it is at its path.
    checkOnce();
    if (state.failure) await settled();
    return result;
  };
}

function openFile(path: string, schema: string, disk: SqliteOptions): LastingFile {
  const watching: { by?: SqliteWatch } = {};
  const sql = openSqlite(path, schema, { ...disk, emptying: (going) => watching.by?.emptying(going) });
  watching.by = watchSqlite(path);
  return { sql, watch: watching.by };
}

/** Of whichever file is open at the moment. */
const readThrough = (session: () => SqlSession): SqlSession => ({
  run: (sql, ...values) => session().run(sql, ...values),
  get: (sql, ...values) => session().get(sql, ...values),
  all: (sql, ...values) => session().all(sql, ...values),
});

const failureOf = ({ kind, why }: Vanished): AppError =>
  new AppError(
    'storage',
    kind === 'unreachable'
      ? `${why}. No messages are accepted until the folder is back; restore it, or restart the gateway to start with an empty journal.`
      : `${why} while the gateway runs. No messages are accepted until it is recreated.`,
  );

/** Files with what the open database holds, at its path. */
async function rescued(
  sql: OpenSqlite,
  { path, vanished }: { readonly path: string; readonly vanished: Vanished },
): Promise<Rescue> {
  await whenOver(sql.write(() => undefined, { sync: false })); // who is in the queue is refused, and comes again
  await sql.rested();
  const { rescueSqlite } = await import('./sqlite-rescue.ts');
  return rescueSqlite({ db: sql.db, path, vanished });
}

const lossOf = ({ why }: Vanished, { aside }: Rescue): string =>
  `${why}. Its content is lost: unanswered messages, unsent replies, and the record of messages already seen.${aside.length > 0 ? ` The files found there were moved aside: ${aside.join(', ')}.` : ''}`;
