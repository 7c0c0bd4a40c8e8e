/** Works out what a patch does to the files, all of it, before any of them is touched. */
import { basename, dirname, join, relative } from 'node:path';
import {
  loadEditable,
  statToWrite,
  readWhole,
  resolvePathToWrite,
  type FileChange,
  type FileContext,
  type FileFacts,
} from '../../sdk/files.ts';
import { PatchProblem, type Section } from './patch.ts';
import { updateText } from './update-text.ts';

export interface PatchPlan {
  readonly changes: readonly FileChange[];
  readonly files: readonly PatchedFile[];
}

/** For the result: A added, M changed, D removed. */
export interface PatchedFile {
  readonly status: 'A' | 'M' | 'D';
  readonly path: string;
  readonly movedFrom?: string;
  readonly diff?: string;
  readonly loose?: boolean;
}

interface Step {
  readonly changes: readonly FileChange[];
  readonly file: PatchedFile;
}

/** Files that only change their place are not looked into; this much of them is carried. */
const MAX_MOVED_BYTES = 50 * 1024 * 1024;

/** Splitting more into lines would hold up everybody else. */
const MAX_HUNKED_BYTES = 1024 * 1024;

/** Throws `PatchProblem`; rejects with `AppError` for paths out of reach. */
export async function planPatch(sections: readonly Section[], ctx: FileContext): Promise<PatchPlan> {
  const steps: Step[] = [];
  const taken = new Map<string, number>();
  for (const section of sections) {
    const step = await planSection(section, ctx);
    for (const { path } of step.changes) {
      const earlier = taken.get(path);
      if (earlier !== undefined)
        throw new PatchProblem(
          section.line,
          `${section.path} is already used in line ${earlier}. Put all changes of a file into one section.`,
        );
      taken.set(path, section.line);
    }
    steps.push(step);
  }
  return { changes: steps.flatMap(({ changes }) => changes), files: steps.map(({ file }) => file) };
}

function planSection(section: Section, ctx: FileContext): Promise<Step> {
  switch (section.kind) {
    case 'add':
      return planAdd(section, ctx);
    case 'delete':
      return planDelete(section, ctx);
    case 'update':
      return section.hunks.length > 0 ? planUpdate(section, ctx) : planMove(section, ctx);
  }
}

type Of<Kind extends Section['kind']> = Extract<Section, { kind: Kind }>;

async function planAdd({ path, line, lines }: Of<'add'>, ctx: FileContext): Promise<Step> {
  const real = await freePath({ path, line, advice: 'Use `*** Update File` to change it.' }, ctx);
  const text = lines.map((one) => `${one}\n`).join('');
  return {
    changes: [{ path: real, shown: path, data: Buffer.from(text), before: undefined }],
    file: { status: 'A', path, diff: lines.map((one) => `+${one}`).join('\n') },
  };
}

async function planDelete({ path, line }: Of<'delete'>, ctx: FileContext): Promise<Step> {
  const { real, before } = await existing({ path, line }, ctx);
  return { changes: [{ path: real, shown: path, before }], file: { status: 'D', path } };
}

async function planUpdate(section: Of<'update'>, ctx: FileContext): Promise<Step> {
  const { path, line, hunks, moveTo } = section;
  const file = await loadEditable(path, ctx);
  if (!file.ok)
    throw new PatchProblem(line, file.error.replace('Use `write` to create it.', 'Use `*** Add File` to create it.'));
  if (file.facts.size > MAX_HUNKED_BYTES)
    throw new PatchProblem(line, `${path} is too large for hunks (${file.facts.size} bytes). Use \`edit\`.`);
  const { text, diff, loose } = updateText(file.text, hunks, path);
  const data = file.encode(text);
  const done = { status: 'M', path: moveTo ?? path, diff, loose } as const;
  if (moveTo === undefined)
    return { changes: [{ path: file.path, shown: path, data, before: file.facts }], file: done };
  await existing({ path, line }, ctx);
  return {
    changes: await moved(section, { from: file.path, to: moveTo, data, before: file.facts }, ctx),
    file: { ...done, movedFrom: path },
  };
}

async function planMove(section: Of<'update'>, ctx: FileContext): Promise<Step> {
  const { path, line, moveTo = path } = section;
  const { real, before } = await existing({ path, line }, ctx);
  const data = await readWhole(path, ctx, MAX_MOVED_BYTES);
  return {
    changes: await moved(section, { from: real, to: moveTo, data, before }, ctx),
    file: { status: 'M', path: moveTo, movedFrom: path },
  };
}

async function moved(
  { path, line }: Of<'update'>,
  { from, to, data, before }: { from: string; to: string; data: Uint8Array; before: FileFacts },
  ctx: FileContext,
): Promise<readonly FileChange[]> {
  const real = await freePath(
    { path: to, line: line + 1, advice: 'Use another path, or delete the file first in a separate patch.' },
    ctx,
  );
  return [
    { path: real, shown: to, data, mode: before.mode, before: undefined },
    { path: from, shown: path, before },
  ];
}

/** A file that will be gone from its path: a link there would lead nowhere afterwards. */
async function existing(
  { path, line }: { path: string; line: number },
  ctx: FileContext,
): Promise<{ readonly real: string; readonly before: FileFacts }> {
  const { path: real, facts: before } = await statToWrite(path, ctx);
  if (!before) throw new PatchProblem(line, `${path} does not exist.`);
  if (before.kind !== 'file') throw new PatchProblem(line, `${path} is not a file.`);
  const named = join(await resolvePathToWrite(dirname(path), ctx), basename(path));
  if (named.toLowerCase() !== real.toLowerCase())
    throw new PatchProblem(
      line,
      `${path} is a symbolic link. Use its target: ${relative(await resolvePathToWrite('.', ctx), real)}.`,
    );
  return { real, before };
}

async function freePath(
  { path, line, advice }: { path: string; line: number; advice: string },
  ctx: FileContext,
): Promise<string> {
  if (/[/\\]$/.test(path)) throw new PatchProblem(line, `${path} is a folder; add the file name.`);
  const { path: real, facts } = await statToWrite(path, ctx);
  if (facts) throw new PatchProblem(line, `${path} exists already. ${advice}`);
  return real;
}
