/**
 * The slices `tools.exec`, `tools.elevated` and `sandbox` of the configuration, and those of each agent: what commands
 * may do, and where they run.
 */
import { z } from 'zod';
import { ASK_MODES, ELEVATED_LEVELS, EXEC_HOSTS, SECURITY_LEVELS } from '../../core/command-levels.ts';
import type { ConfigSlice } from '../../host/feature.ts';

/** A number outside is taken to the nearest end, as every release did: an old file still loads. */
const within = (least: number, max: number) => z.number().transform((given) => Math.min(max, Math.max(least, given)));

const accepted = z.unknown().optional().describe('Accepted; no part of this version reads it.');
const senders = z.record(z.string(), z.array(z.union([z.string(), z.number()]).transform(String)));

/** Programs that only read what is piped into them; each has a profile of harmless options. */
export const DEFAULT_SAFE_BINS = ['jq', 'grep', 'cut', 'sort', 'uniq', 'head', 'tail', 'tr', 'wc'] as const;

const exec = {
  host: z
    .enum(EXEC_HOSTS)
    .describe('Where commands run. auto: in the sandbox for sandboxed sessions, else on this machine.'),
  security: z
    .enum(SECURITY_LEVELS)
    .describe(
      'deny: no commands; allowlist: what is proven safe or allowed runs, the rest asks; full: everything runs.',
    ),
  ask: z
    .enum(ASK_MODES)
    .describe('off: never ask; on-miss: ask when the allowlist does not cover a command; always: ask every time.'),
};

export const execSchema = z
  .object({
    host: exec.host.default('auto'),
    security: exec.security.default('allowlist'),
    ask: exec.ask.default('on-miss'),
    backgroundMs: within(10, 120_000)
      .default(10_000)
      .describe('Milliseconds after which a command goes on in the background, 10 to 120000.'),
    timeoutSec: z
      .number()
      .transform((given) => Math.max(0, given))
      .default(1800)
      .describe('Seconds after which a command is killed; 0: never.'),
    cleanupMs: within(60_000, 10_800_000)
      .default(1_800_000)
      .describe('Milliseconds an ended background command is remembered, a minute to three hours.'),
    outputMaxChars: within(1000, 200_000)
      .default(30_000)
      .describe(
        'Characters of output a result shows, 1000 to 200000: a quarter of them from its beginning, the rest ' +
          'from its end.',
      ),
    spoolMaxMb: z
      .number()
      .min(1)
      .default(64)
      .describe('Megabytes of output kept per command; beyond that the middle is dropped.'),
    notifyOnExit: z.boolean().default(true).describe('Tell the session when a background command ends.'),
    notifyOnExitEmptySuccess: z.boolean().default(false).describe('Also when it ended well and wrote nothing.'),
    approvalTimeoutSec: z.number().min(1).max(3600).default(120).describe('Seconds a command waits for approval.'),
    approvers: senders
      .default({})
      .describe(
        'Who may answer approvals in chat, by channel: ids as the channel gives them. The Control UI and the ' +
          'terminal may always.',
      ),
    pathPrepend: z.array(z.string()).default([]).describe('Folders searched before PATH.'),
    safeBins: z
      .array(z.string())
      .default([...DEFAULT_SAFE_BINS])
      .describe('Programs that need no approval as long as they only read what is piped into them.'),
    passEnv: z
      .array(z.string())
      .default([])
      .describe('Environment variables handed to commands although their names look secret.'),
    applyPatch: z
      .object({
        enabled: z.boolean().default(true).describe('Offer the tool apply_patch.'),
        allowModels: z
          .array(z.string())
          .optional()
          .describe('Only to these models: `provider/model`, a bare model name or a `*` pattern.'),
        workspaceOnly: z.boolean().optional().describe('Accepted; `tools.fs.workspaceOnly` decides.'),
      })
      .prefault({})
      .describe('The tool apply_patch.'),
    node: accepted,
    approvalRunningNoticeMs: accepted,
  })
  .prefault({});

/** An agent may only be stricter. */
export const agentExecSchema = z.object({
  host: exec.host.optional(),
  security: exec.security.optional(),
  ask: exec.ask.optional(),
  backgroundMs: within(10, 120_000).optional().describe('As in `tools.exec`.'),
  timeoutSec: z
    .number()
    .transform((given) => Math.max(0, given))
    .optional()
    .describe('As in `tools.exec`.'),
  pathPrepend: z.array(z.string()).optional().describe('In place of `tools.exec.pathPrepend`.'),
  safeBins: z.array(z.string()).optional().describe('In place of `tools.exec.safeBins`.'),
  node: accepted,
  applyPatch: accepted,
  cleanupMs: accepted,
  notifyOnExit: accepted,
});

export const elevatedSchema = z
  .object({
    enabled: z.boolean().default(true).describe('False: nobody leaves the sandbox or skips approvals.'),
    allowFrom: senders
      .default({})
      .describe(
        'Who may, by channel: sender ids, `*` for everybody who may write. The Control UI and the terminal ' +
          'may unless they are listed here as empty.',
      ),
  })
  .prefault({});

export const agentElevatedSchema = z.object({
  enabled: z.boolean().optional().describe('False: not with this agent.'),
  allowFrom: senders.optional().describe('Senders that must be listed here too.'),
});

const elevatedDefaultSchema = z
  .enum(ELEVATED_LEVELS)
  .default('off')
  .describe(
    'How far commands of people who may be elevated go: on and ask run outside the sandbox, full also ' +
      'without approval.',
  );

const limit = {
  memoryMb: z.number().min(16).describe('Megabytes of memory of one command and its children.'),
  processes: z.number().int().min(4).describe('Processes and threads one command may have.'),
  diskMb: z.number().min(1).describe('Megabytes one command may write: in a file, in /tmp, into the workspace.'),
  timeoutSec: z
    .number()
    .min(1)
    .optional()
    .describe('Seconds after which a sandboxed command is killed, whatever was asked for.'),
};
const limits = z.object({
  memoryMb: limit.memoryMb.default(2048),
  processes: limit.processes.default(256),
  diskMb: limit.diskMb.default(1024),
  timeoutSec: limit.timeoutSec,
});

const sandboxShape = {
  mode: z
    .enum(['off', 'non-main', 'all'])
    .describe('off: no sandbox; non-main: every session but the main one; all: every session.'),
  scope: z
    .enum(['session', 'agent', 'shared'])
    .describe('Who shares a sandbox folder: nobody, the sessions of an agent, everybody.'),
  workspaceAccess: z
    .enum(['none', 'ro', 'rw'])
    .describe('What a sandbox sees of the workspace. none: an empty folder of its own.'),
  backend: z.enum(['auto', 'bwrap', 'docker']).describe('auto: bubblewrap where it works, else Docker.'),
  network: z.boolean().describe('Let sandboxed commands reach the network.'),
  sessionToolsVisibility: z
    .enum(['spawned', 'all'])
    .describe(
      'Other sessions a sandboxed one may see and write to. spawned: those it started; all: what ' +
        '`tools.sessions.visibility` says.',
    ),
};

export const sandboxSchema = z
  .object({
    mode: sandboxShape.mode.default('off'),
    scope: sandboxShape.scope.default('session'),
    workspaceAccess: sandboxShape.workspaceAccess.default('none'),
    backend: sandboxShape.backend.default('auto'),
    network: sandboxShape.network.default(false),
    sessionToolsVisibility: sandboxShape.sessionToolsVisibility.default('spawned'),
    limits: limits.prefault({}).describe('What a sandboxed command may use up.'),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe("Variables of sandboxed commands; they see none of the gateway's."),
    docker: z
      .object({
        image: z.string().default('debian:bookworm-slim').describe('The image of the container.'),
        setupCommand: z.string().optional().describe('Run once in a new container.'),
      })
      .prefault({})
      .describe('For the backend docker.'),
    workspaceRoot: accepted,
    browser: accepted,
    prune: accepted,
  })
  .prefault({});

export const agentSandboxSchema = z.object({
  mode: sandboxShape.mode.optional(),
  scope: sandboxShape.scope.optional(),
  workspaceAccess: sandboxShape.workspaceAccess.optional(),
  backend: sandboxShape.backend.optional(),
  network: sandboxShape.network.optional(),
  sessionToolsVisibility: sandboxShape.sessionToolsVisibility.optional(),
  limits: z.object(limit).partial().optional().describe('Each limit given here replaces the default one.'),
  env: z.record(z.string(), z.string()).optional().describe('Added to the default variables.'),
  docker: z
    .object({
      image: z.string().optional().describe('The image of the container.'),
      setupCommand: z.string().optional().describe('Run once in a new container.'),
    })
    .optional()
    .describe('For the backend docker.'),
  workspaceRoot: accepted,
  browser: accepted,
  prune: accepted,
});

export type ExecConfig = z.output<typeof execSchema>;
export type AgentExecConfig = z.output<typeof agentExecSchema>;
export type ElevatedConfig = z.output<typeof elevatedSchema>;
export type AgentElevatedConfig = z.output<typeof agentElevatedSchema>;
export type SandboxConfig = z.output<typeof sandboxSchema>;
export type AgentSandboxConfig = z.output<typeof agentSandboxSchema>;

/** Where each of them stands. */
export const execSlices: readonly ConfigSlice[] = [
  { path: 'tools.exec', schema: execSchema.describe('Commands: where they run, what they may do, who is asked.') },
  { path: 'tools.elevated', schema: elevatedSchema.describe('Who may leave the sandbox or skip approvals.') },
  { path: 'agents.defaults.elevatedDefault', schema: elevatedDefaultSchema },
  { path: 'agents.defaults.sandbox', schema: sandboxSchema.describe('Commands and files in a box of their own.') },
  {
    path: 'agents.list[].tools.exec',
    schema: agentExecSchema.optional().describe('Commands of this agent: never more than `tools.exec` allows.'),
  },
  {
    path: 'agents.list[].tools.elevated',
    schema: agentElevatedSchema
      .optional()
      .describe('Who may elevate commands of this agent, among those `tools.elevated` admits.'),
  },
  {
    path: 'agents.list[].sandbox',
    schema: agentSandboxSchema
      .optional()
      .describe('Its own sandbox settings; what is left out comes from `agents.defaults.sandbox`.'),
  },
];
