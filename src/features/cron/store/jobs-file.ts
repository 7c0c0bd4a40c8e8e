/**
 * Reads and writes `jobs.json`: plain JSON with one job per line, so that 10 000 jobs can be processed in slices; any
 * JSON5 is accepted when reading.
 */
import { parseJson } from '../../../core/parse-json.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseJson5 } from '../../../config/json5.ts';
import { AppError } from '../../../core/errors.ts';
import { statIfExists } from '../../../platform/files.ts';

/** What stands in the file beside the jobs. */
export type Head = Readonly<Record<string, unknown>>;

export type JobsText =
  | { readonly kind: 'good'; readonly head: Head; readonly jobs: readonly unknown[] }
  | { readonly kind: 'blank' }
  /** `why` names the place, never what stands there. */
  | { readonly kind: 'broken'; readonly why: string };

const VERSION = 1;
const SLICE = 250;
const [OPEN, CLOSE] = ['  "jobs": [\n', '\n  ]\n}\n'];

/** The file's bytes. `jobs` are turned into text as they are when their slice is reached. */
export async function formatJobs(head: Head, jobs: Iterable<() => unknown>): Promise<Uint8Array> {
  const { version: _version, jobs: _jobs, ...rest } = head;
  const top = Object.entries({ version: VERSION, ...rest })
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`)
    .join('');
  const all = [...jobs];
  if (all.length === 0) return Buffer.from(`{\n${top}  "jobs": []\n}\n`);
  const parts = [Buffer.from(`{\n${top}${OPEN}`)];
  for (let at = 0; at < all.length; at += SLICE) {
    if (at > 0) await nextTurn();
    parts.push(
      Buffer.from(
        `${at === 0 ? '' : ',\n'}${all
          .slice(at, at + SLICE)
          .map((job) => `    ${JSON.stringify(job())}`)
          .join(',\n')}`,
      ),
    );
  }
  return Buffer.concat([...parts, Buffer.from(CLOSE)]);
}

/** Never throws for what stands in the text. */
export async function parseJobs(text: string): Promise<JobsText> {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body.trim() === '') return { kind: 'blank' };
  return (await ownLayout(body)) ?? anyLayout(body);
}

/** As we write it, line by line; undefined when the file has another layout. */
async function ownLayout(text: string): Promise<JobsText | undefined> {
  const at = text.indexOf(OPEN);
  if (at === -1 || !text.endsWith(CLOSE)) return undefined;
  const top = parseJson(`${text.slice(0, at)}  "jobs": []}`);
  if (top === undefined) return undefined;
  const lines = text.slice(at + OPEN.length, -CLOSE.length).split('\n');
  const jobs: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % SLICE === SLICE - 1) await nextTurn();
    const job = parseJson(index < lines.length - 1 && line.endsWith(',') ? line.slice(0, -1) : line);
    if (job === undefined) return undefined;
    jobs.push(job);
  }
  return evaluated({ ...(top as object), jobs });
}

/** As a person or another program wrote it. */
function anyLayout(text: string): JobsText {
  const plain = parseJson(text);
  if (plain !== undefined) return evaluated(plain);
  const parsed = parseJson5(text);
  return parsed.ok ? evaluated(parsed.value) : { kind: 'broken', why: parsed.problem };
}

function evaluated(value: unknown): JobsText {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('jobs' in value))
    return { kind: 'broken', why: 'it must hold one object, {"version":1,"jobs":[…]}' };
  const { jobs, ...head } = value;
  if (!Array.isArray(jobs)) return { kind: 'broken', why: '"jobs" must be a list' };
  const version = (head as { version?: unknown }).version ?? VERSION;
  return version === VERSION
    ? { kind: 'good', head, jobs }
    : {
        kind: 'broken',
        why: `its version is ${JSON.stringify(version)?.slice(0, 20)}, and only version ${VERSION} can be read`,
      };
}

/** Differs whenever the file is another one or was written since; empty: there is none; `?`: nobody may look. */
export async function stampOf(path: string): Promise<string> {
  const facts = await statIfExists(path).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'storage') return '?' as const;
    throw error;
  });
  if (facts === '?') return facts;
  return facts ? `${facts.inode}:${facts.size}:${facts.modifiedAt}` : '';
}
