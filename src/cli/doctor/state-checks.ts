/** Doctor checks of the state directory: permissions, the journal, the session stores. */
import { parseJson } from '../../core/parse-json.ts';
import { basename, join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { getAt, parsePath } from '../../config/paths.ts';
import { listDir, quarantine, readTextIfExists, setMode, statIfExists } from '../../platform/files.ts';
import type { SqliteState } from '../../platform/sqlite-check.ts';
import { withJournalCopy } from '../journal-copy.ts';
import { type Check, fail, type Finding, ok, type Patient, warn } from './check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** Permission bits that let anybody but the owner in. */
const OTHERS = 0o077;

export const stateChecks: readonly Check[] = [
  { name: 'state directory', run: ({ env, repair }) => privacy(env.stateDir, 0o700, repair) },
  { name: 'config file mode', run: ({ config, repair }) => privacy(config.path, 0o600, repair) },
  { name: 'journal', run: databases },
  { name: 'sessions', run: sessions },
];

async function privacy(path: string, mode: number, repair: boolean): Promise<Finding> {
  const found = await statIfExists(path);
  if (!found) return ok(`${path} does not exist yet`);
  if (process.platform === 'win32' || (found.mode & OTHERS) === 0) return ok(path);
  const detail = `${path} is open to other users of this machine (mode ${found.mode.toString(8)})`;
  if (!repair) return fail(detail, `Run \`chmod ${mode.toString(8)} ${path}\` or \`${OWN_COMMAND} doctor --repair\`.`);
  await setMode(path, mode);
  return ok(`${path}: mode was ${found.mode.toString(8)}, is ${mode.toString(8)} now`);
}

/** Every SQLite file that lies in the state directory. */
async function databases(patient: Patient): Promise<Finding> {
  const { env, gateway, repair } = patient;
  const paths = (await listDir(env.stateDir))
    .filter((entry) => entry.kind === 'file' && entry.name.endsWith('.sqlite'))
    .map((entry) => join(env.stateDir, entry.name));
  const examined: { readonly path: string; readonly state: SqliteState }[] = [];
  for (const path of paths) examined.push({ path, state: await stateOf(path, patient) });
  const held = examined.find(({ state }) => state === 'held');
  if (held)
    return warn(
      `${held.path} is locked by a process that does not respond`,
      'Stop the gateway if it hangs, then run this again.',
    );
  const damaged = examined.flatMap(({ path, state }) =>
    typeof state === 'string' ? [] : [{ path, problem: state.problem }],
  )[0];
  if (!damaged)
    return ok(paths.length === 0 ? 'none yet' : `sound (${paths.map((path) => basename(path)).join(', ')})`);
  const { path, problem } = damaged;
  if (!repair || 'link' in gateway)
    return fail(
      `${path} is damaged: ${problem}`,
      `Stop the gateway and run \`${OWN_COMMAND} doctor --repair\`: the file is moved aside and a new one is created.`,
    );
  const aside = await quarantine(path);
  for (const suffix of ['-wal', '-shm']) await quarantine(`${path}${suffix}`);
  return warn(
    `${path} was damaged (${problem}) and was moved to ${aside}`,
    'Messages that were unanswered at that time are only in that file.',
  );
}

/**
 * The journal of a gateway that runs can be read by nobody else: a copy is looked at. Where another one answers, it
 * stays `held`.
 */
async function stateOf(path: string, { env, gateway }: Patient): Promise<SqliteState> {
  const { checkSqlite } = await import('../../platform/sqlite-check.ts');
  const state = checkSqlite(path);
  if (state !== 'held' || !('link' in gateway) || basename(path) !== 'journal.sqlite') return state;
  try {
    return await withJournalCopy(gateway.link, env, async (copy) => checkSqlite(copy));
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return 'held';
    throw error;
  }
}

async function sessions({ env, config }: Patient): Promise<Finding> {
  if (getAt(config.config, parsePath('session.store')) !== undefined) return ok('kept elsewhere (session.store)');
  const agents = (await listDir(join(env.stateDir, 'agents'))).filter((entry) => entry.kind === 'directory');
  const counts = await Promise.all(
    agents.map(async ({ name }) => ({
      name,
      count: await countSessions(join(env.stateDir, 'agents', name, 'sessions', 'sessions.json')),
    })),
  );
  const broken = counts.find(({ count }) => count === undefined);
  if (broken)
    return warn(
      `the session store of agent ${broken.name} is not valid JSON`,
      'The gateway moves it aside and rebuilds it from the transcripts the next time it opens it.',
    );
  return ok(
    `${counts.reduce((sum, { count = 0 }) => sum + count, 0)} of ${agents.length} ` +
      `${agents.length === 1 ? 'agent' : 'agents'}`,
  );
}

/** Undefined when the store cannot be read as one. */
async function countSessions(path: string): Promise<number | undefined> {
  const text = await readTextIfExists(path);
  if (text === undefined) return 0;
  const store = parseJson(text);
  return typeof store === 'object' && store !== null && !Array.isArray(store) ? Object.keys(store).length : undefined;
}
