/** Answers about background commands, and about the sandbox they run in. */
import { z } from 'zod';
import { byName, done, instant, list, text } from './shapes.ts';

const process = z.strictObject({
  sessionId: text.describe('Two words, e.g. `calm-harbor`; opaque.'),
  status: z.enum(['running', 'completed', 'failed']),
  pid: z.number().exactOptional(),
  command: text,
  name: text.describe('Verb and first argument, at most 48 characters.'),
  cwd: text.describe('Absolute; inside a sandbox as the command sees it.'),
  host: z.enum(['gateway', 'sandbox']),
  pty: z.boolean(),
  sessionKey: text.describe('The conversation it belongs to.'),
  startedAt: instant,
  endedAt: instant.exactOptional(),
  runtimeMs: z.number(),
  exitCode: z.number().exactOptional(),
  exitSignal: text.exactOptional(),
  endReason: z.enum(['exit', 'signal', 'timeout', 'aborted', 'killed', 'lost']).exactOptional(),
  timeoutSeconds: z.number().exactOptional(),
  tail: text.describe('The last 2 000 characters, without control sequences.'),
  outputBytes: z.number(),
  truncated: z.boolean().describe('Part of the output is no longer stored.'),
  stdinWritable: z.boolean(),
  idleMs: z.number().describe('Milliseconds since the last output.'),
  leftBehind: list(z.strictObject({ pid: z.number(), name: text })).exactOptional(),
});
/** A command that runs in the background, or ran there. */
export type WireProcess = z.output<typeof process>;

/** A command went to the background, changed or ended. */
export const processEvents = {
  'process.changed': z.strictObject({ process }),
  /** To those who follow output: a command that runs wrote something. */
  'process.output': z.strictObject({ process }),
};
/** Payload of `process.changed`. */
export type ProcessChangedEvent = z.output<(typeof processEvents)['process.changed']>;

const log = z.strictObject({
  view: process,
  output: text,
  totalLines: z.number(),
  totalChars: z.number(),
  firstLine: z.number().describe('0-based, of the first line in `output`.'),
  lines: z.number(),
  droppedBytes: z.number().describe('Bytes that were dropped between head and tail of the spool.'),
});

const sandbox = z.strictObject({
  sandboxed: z.boolean(),
  because: text.describe('The setting that decides, e.g. `agents.defaults.sandbox.mode = "non-main"`.'),
  setting: z
    .strictObject({
      backend: z.enum(['auto', 'bwrap', 'docker']),
      scope: z.enum(['session', 'agent', 'shared']),
      scopeKey: text,
      workspaceAccess: z.enum(['none', 'ro', 'rw']),
      agentWorkspace: text,
      workspace: text,
      network: z.boolean(),
      limits: z.strictObject({
        memoryMb: z.number(),
        processes: z.number(),
        diskMb: z.number(),
        timeoutSec: z.number().optional(),
      }),
      env: byName(text).describe('Names of the variables; never their values.'),
      docker: z.strictObject({ image: text, setupCommand: text.optional() }),
    })
    .exactOptional(),
  backend: z
    .union([
      z.strictObject({ name: z.enum(['bwrap', 'docker']), version: text }),
      z.strictObject({ problem: text.describe('Why there is no sandbox.') }),
    ])
    .exactOptional(),
  mounts: list(z.strictObject({ path: text, access: z.enum(['ro', 'rw', 'empty']) })),
  notes: list(text),
});
/** Answer of `sandbox.explain`. */
export type SandboxExplained = z.output<typeof sandbox>;

/** Answers of the methods about background commands and the sandbox. */
export const processAnswers = {
  'process.list': z.strictObject({ processes: list(process) }),
  'process.log': log,
  'process.write': z.strictObject({ written: z.number() }),
  'process.kill': z.strictObject({ process }),
  'process.clear': done,
  'process.remove': done,
  'process.subscribe': z.strictObject({ subscribed: z.boolean() }),
  'process.unsubscribe': z.strictObject({ subscribed: z.boolean() }),
  'sandbox.explain': sandbox,
};
