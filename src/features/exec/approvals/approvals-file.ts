/**
 * `exec-approvals.json`: stored permissions, reloaded when the file changes, written atomically and one change at a
 * time.
 */
import type { ApprovalsSnapshot } from '../../../core/approval.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { readTextIfExists, setMode, statIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { sha256Hex } from '../../../platform/ids.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { redactText } from '../../../platform/redact.ts';
import type { AllowEntry, NewAllowEntry } from './allowlist.ts';
import { remembered, replaced, shownFile, usedNow, type Use } from './policy-edit.ts';
import {
  oddWords,
  policyFileSchema,
  policyOf,
  readPolicy,
  withMain,
  type AgentPolicy,
  type PolicyFile,
  type ReadPolicy,
} from './policy-file.ts';

export type { AgentPolicy } from './policy-file.ts';

export interface ApprovalsFile {
  policyFor(agentId: string): Promise<AgentPolicy>;
  /** Adds what a person allowed for ever. */
  remember(agentId: string, entries: readonly NewAllowEntry[]): Promise<void>;
  /** Notes when permissions were used, to the minute. */
  used(agentId: string, entries: readonly AllowEntry[], use: Use): Promise<void>;
  snapshot(): Promise<ApprovalsSnapshot>;
  /** `conflict` when the file is not the one `baseHash` names, `invalid` when the new one makes no sense. */
  replace(file: unknown, baseHash: string | undefined): Promise<ApprovalsSnapshot>;
}

export interface ApprovalsFileDeps {
  /** Absolute; `<stateDir>/exec-approvals.json`. */
  readonly path: string;
  /** What `~` in patterns means, absolute. */
  readonly home: string;
  readonly log: Log;
}

const PRIVATE = 0o600;
/** Milliseconds between two notes of use. */
const NOTE_EVERY = 60_000;
/** Times a change is tried again because somebody else wrote in between. */
const TRIES = 5;

interface OnDisk {
  readonly text: string | undefined;
  readonly hash: string;
  readonly read: ReadPolicy;
}

export function createApprovalsFile({ path, home, log }: ApprovalsFileDeps): ApprovalsFile {
  const { fromDisk, current, write, change } = createPolicyDisk({ path, log });
  /** One change after the other, whatever became of the one before. */
  const { run: inTurn } = createSerialQueue();

  const shown = ({ text, hash, read }: OnDisk): ApprovalsSnapshot => ({
    path,
    exists: text !== undefined,
    hash,
    ...('problem' in read ? { file: { version: 1 }, problem: read.problem } : { file: shownFile(withMain(read.file)) }),
  });

  return {
    policyFor: async (agentId) => policyOf(await current(), agentId, home),
    remember: (agentId, entries) => inTurn(() => change((file) => remembered(file, agentId, entries))),
    async used(_agentId, entries, use) {
      const due = entries.filter(({ lastUsedAt }) => lastUsedAt === undefined || use.at - lastUsedAt >= NOTE_EVERY);
      // Not worth waiting for the disk: after a power cut a note of use may be missing.
      if (due.length > 0)
        await inTurn(() => change((file) => usedNow(file, due, { ...use, command: redactText(use.command) }), false));
    },
    snapshot: async () => shown(await fromDisk()),
    replace: (file, baseHash) =>
      inTurn(async () => {
        const sent = sensible(file);
        const before = await fromDisk();
        if (before.text !== undefined && baseHash === undefined)
          throw new AppError('invalid', 'baseHash is required: read the approvals file first and send its hash along.');
        const stale = new AppError(
          'conflict',
          'The approvals file changed since it was read; read it again and repeat the change.',
          { details: { hash: before.hash } },
        );
        if (baseHash !== undefined && baseHash !== before.hash) throw stale;
        const kept: PolicyFile = 'problem' in before.read ? { version: 1 } : withMain(before.read.file);
        if (!(await write(replaced(kept, sent), before.hash))) throw stale;
        return shown(await fromDisk());
      }),
  };
}

/** The file itself: read when its stamp changed, written only over what was read. */
function createPolicyDisk({ path, log }: Pick<ApprovalsFileDeps, 'path' | 'log'>) {
  let cached: { readonly stamp: string; readonly read: ReadPolicy } | undefined;

  async function fromDisk(): Promise<OnDisk> {
    const text = await readTextIfExists(path);
    return { text, hash: sha256Hex(text ?? ''), read: readPolicy(text, path) };
  }

  /** A look at the file's stamp is all it costs while nothing changed. */
  async function current(): Promise<ReadPolicy> {
    const facts = await statIfExists(path);
    const stamp = facts ? `${facts.inode} ${facts.modifiedAt} ${facts.size} ${facts.mode}` : 'none';
    if (cached?.stamp === stamp) return cached.read;
    if (facts && (facts.mode & 0o077) !== 0) await makePrivate();
    const { read } = await fromDisk();
    report(read);
    cached = { stamp, read };
    return read;
  }

  async function makePrivate(): Promise<void> {
    log.warn('exec.approvals.mode', { path, note: 'other users could access it; the mode was changed to private' });
    await setMode(path, PRIVATE);
  }

  function report(read: ReadPolicy): void {
    if ('problem' in read) return log.error('exec.approvals.invalid', { path, problem: read.problem });
    const odd = oddWords(read.file);
    if (odd.length > 0)
      log.error('exec.approvals.words', { path, problem: `Unknown: ${odd.join(', ')}; the strictest value applies.` });
  }

  /** `unless`: the text that must still be there when the new one takes its place. */
  async function write(next: PolicyFile, unless: string, sync = true): Promise<boolean> {
    const text = `${JSON.stringify(next, null, 2)}\n`;
    if ((await fromDisk()).hash !== unless) return false;
    await writeFileAtomic(path, text, { mode: PRIVATE, sync });
    return true;
  }

  async function change(edit: (file: PolicyFile) => PolicyFile, sync = true): Promise<void> {
    for (let left = TRIES; left > 0; left -= 1) {
      const { read, hash } = await fromDisk();
      if ('problem' in read) throw new AppError('invalid', read.problem);
      const next = edit(withMain(read.file));
      if (next === read.file || (await write(next, hash, sync))) return;
    }
    throw new AppError(
      'conflict',
      `The approvals file ${path} keeps being changed by another process; nothing was written.`,
    );
  }

  return { fromDisk, current, write, change };
}

/** Stricter than what is read from disk: somebody is there to mend it. */
function sensible(file: unknown): PolicyFile {
  const checked = policyFileSchema.safeParse(file);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw new AppError(
      'invalid',
      `The approvals file is invalid at ${issue?.path.map(String).join('.') || 'its root'}: ` +
        `${issue?.message ?? 'invalid'}.`,
    );
  }
  const odd = oddWords(checked.data);
  if (odd.length > 0)
    throw new AppError(
      'invalid',
      `Unknown: ${odd.join(', ')}. security and askFallback must be deny, allowlist or full; ask must be off, ` +
        'on-miss or always.',
    );
  return withMain(checked.data);
}
