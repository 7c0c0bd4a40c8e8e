/**
 * The stored record of a process besides its output: a small file in its folder, read after a restart of the gateway.
 */
import { parseJson } from '../../../core/parse-json.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { nobodysAuthority } from '../../../core/authority.ts';
import type { EndReason } from '../../../core/shell.ts';
import { readTextIfExists, writeFileAtomic } from '../../../platform/files.ts';
import type { HoldFiles } from '../platform/hold.ts';
import type { ProcessOwner } from './process-spec.ts';

const identity = z.object({ pid: z.number(), birth: z.string() });
/** How a command came out. */
const outcome = z.object({
  at: z.number(),
  exitCode: z.number().optional(),
  exitSignal: z.string().optional(),
  reason: z.enum(['exit', 'signal', 'timeout', 'aborted', 'killed', 'lost'] satisfies EndReason[]),
});

/** On whose word it was started has to stand in the record; nobody is made up for it. */
function withAuthority(owner: Omit<ProcessOwner, 'authority'> & Partial<ProcessOwner>): ProcessOwner {
  const { agentId, sessionKey, replyTo: address } = owner;
  return { authority: nobodysAuthority({ agentId, sessionKey, address }), ...owner };
}

const recordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  owner: z.custom<ProcessOwner>((value) => typeof value === 'object' && value !== null).transform(withAuthority),
  command: z.string(),
  /** As people and models see it. */
  cwd: z.string(),
  host: z.enum(['gateway', 'sandbox']),
  pty: z.boolean(),
  startedAt: z.number(),
  timeoutMs: z.number(),
  spoolMaxBytes: z.number(),
  /** The holder; absent for a moment at the start. */
  holder: identity.optional(),
  background: z.boolean(),
  inputClosed: z.boolean(),
  /** Bytes of output a poll has delivered. */
  cursor: z.number(),
  spool: z.object({ headBytes: z.number(), recentStart: z.number(), recentBytes: z.number(), outStart: z.number() }),
  /** Some output could not be written. */
  diskFull: z.boolean(),
  /** How the command itself ended; its group may live on. */
  outcome: outcome.optional(),
  /** The command and its group are gone. */
  over: z.boolean(),
  /** Whoever should hear of the end has heard. */
  told: z.boolean(),
  /** What it left behind, outside of its group. */
  daemons: z.array(identity.extend({ name: z.string() })),
});

export type ProcessRecord = Readonly<z.output<typeof recordSchema>>;
export type Outcome = Readonly<z.output<typeof outcome>>;

const META = 'meta.json';

/** Undefined: no record, or none this version can read. */
export async function readRecord(folder: string): Promise<ProcessRecord | undefined> {
  const text = await readTextIfExists(join(folder, META));
  const parsed = recordSchema.safeParse(text === undefined ? undefined : parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** It has to survive us, not the machine: after a power cut there is no process either. */
export const writeRecord = async (folder: string, record: ProcessRecord): Promise<void> => {
  await writeFileAtomic(join(folder, META), JSON.stringify(record), { sync: false });
};

export const filesOf = (folder: string): HoldFiles => ({
  output: join(folder, 'out'),
  input: join(folder, 'in'),
  ready: join(folder, 'ready'),
  exit: join(folder, 'exit'),
});

/** The code the holder left; undefined until it is written to the end. */
export async function readExitCode(folder: string): Promise<number | undefined> {
  const code = /^(\d+)\n$/.exec((await readTextIfExists(filesOf(folder).exit)) ?? '')?.[1];
  return code === undefined ? undefined : Number(code);
}
