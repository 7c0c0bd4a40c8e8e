/** Runs the owner's transform for a payload: a file in one folder only, in a thread with a timeout. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../core/errors.ts';
import { resolvePath } from '../../platform/inside.ts';
import { realPathIfExists, statIfExists } from '../../platform/files.ts';
import { besideModule, createWorkerThread } from '../../platform/worker.ts';
import type { HookFacts } from './template.ts';

export interface TransformRef {
  readonly module: string;
  readonly export?: string | undefined;
  /** `hooks.transformsDir`. */
  readonly dir: string | undefined;
}

/** `value` undefined: the mapping alone decides. `internal` when it failed, took too long, or is no file it may be. */
export type RunTransform = (
  ref: TransformRef,
  facts: HookFacts,
  signal: AbortSignal,
) => Promise<{ readonly skip: true } | { readonly skip: false; readonly value: unknown }>;

export interface TransformQuestion {
  /** A `file:` address; differs when the file changed. */
  readonly url: string;
  readonly export: string | undefined;
  readonly facts: HookFacts;
}
export type TransformAnswer =
  | { readonly kind: 'value'; readonly json: string | undefined }
  | { readonly kind: 'failed'; readonly why: string };

export interface Transforms extends AsyncDisposable {
  readonly run: RunTransform;
}

const LIMITS = { heapMb: 64, growthMb: 512, idleMs: 30_000 };
const TIMEOUT_MS = 5000;
const SCRIPT = /\.(?:[cm]?js|m?ts)$/;

export function createTransforms({
  stateDir,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly stateDir: string;
  readonly timeoutMs?: number;
}): Transforms {
  const thread = createWorkerThread<TransformQuestion>({
    entry: besideModule('transform-worker', import.meta),
    ...LIMITS,
  });
  return {
    async run(ref, facts, signal) {
      const url = await fileOf(ref, stateDir);
      const answered = await thread.ask<TransformAnswer>(
        { url, export: ref.export, facts: { ...facts, headers: { ...facts.headers }, query: { ...facts.query } } },
        { timeoutMs, signal },
      );
      if (answered.kind !== 'answered')
        throw failed(
          ref,
          answered.kind === 'crashed'
            ? answered.why
            : answered.kind === 'timeout'
              ? `it took longer than ${timeoutMs} ms`
              : answered.kind,
        );
      const { answer } = answered;
      if (answer.kind === 'failed') throw failed(ref, answer.why);
      const value: unknown = answer.json === undefined ? undefined : JSON.parse(answer.json);
      return value === null ? { skip: true } : { skip: false, value };
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

const failed = ({ module }: TransformRef, why: string, cause?: unknown): AppError =>
  new AppError('internal', `The transform "${module}" failed: ${why}`, { cause });

/**
 * Both folder and file are held to the one place by their real names, and the file that was checked is the one that is
 * loaded.
 */
async function fileOf(ref: TransformRef, stateDir: string): Promise<string> {
  const root = join(stateDir, 'hooks', 'transforms');
  if (!isPlainRelative(ref.module) || !SCRIPT.test(ref.module))
    throw failed(ref, 'use the relative path of a .js, .mjs, .cjs, .ts or .mts file in the transforms folder');
  try {
    const realRoot = await realPathIfExists(root);
    if (realRoot === undefined) throw new AppError('not_found', `the folder ${root} does not exist`);
    const folder = await resolvePath(ref.dir ?? '.', { base: realRoot, roots: [realRoot] });
    const path = await resolvePath(ref.module, { base: folder, roots: [folder] });
    const facts = await statIfExists(path);
    if (facts?.kind !== 'file') throw new AppError('not_found', `the file does not exist in ${folder}`);
    if (facts.mode & 0o002) throw new AppError('denied', `${path} is writable by everybody; run chmod o-w on it`);
    return `${pathToFileURL(path).href}?v=${facts.inode}-${facts.modifiedAt}-${facts.size}`;
  } catch (error) {
    throw failed(ref, error instanceof AppError ? error.message : 'it cannot be read', error);
  }
}

/** No address, no absolute path, no way up, no other spelling of one. */
const isPlainRelative = (path: string): boolean =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/.test(path);
