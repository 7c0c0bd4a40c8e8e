/** The slices `tools.exec`, `tools.elevated` and `sandbox` of the configuration, and those of each agent. */
import { z } from 'zod';
import { ASK_MODES, ELEVATED_LEVELS, EXEC_HOSTS, SECURITY_LEVELS } from '../../core/command-levels.ts';
import type { ConfigSlice } from '../../host/feature.ts';

/** A number outside is taken to the nearest end, as every release did: an old file still loads. */
const within = (least: number, max: number) => z.number().transform((input) => Math.min(max, Math.max(least, input)));

const accepted = z.unknown().optional().describe('Accepted; no part of this version reads it.');
const senders = z.record(z.string(), z.array(z.union([z.string(), z.number()]).transform(String)));

/** Programs that only read what is piped into them; each has a profile of harmless options. */
export const DEFAULT_SAFE_BINS = ['jq', 'grep', 'cut', 'sort', 'uniq', 'head', 'tail', 'tr', 'wc'] as const;

const node = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .describe('The node that runs commands with host node: name or id. Absent: the only connected one that can.');

const exec = {
  host: z
    .enum(EXEC_HOSTS)
    .describe(
      'Where commands run. auto: in the sandbox for sandboxed sessions, else on this machine; node: on a node.',
    ),
  security: z
    .enum(SECURITY_LEVELS)
    .describe(
      'deny: no commands; allowlist: read-only and allowed commands run, others need approval; full: all commands run.',
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
      .describe('Milliseconds after which a command continues in the background, 10 to 120000.'),
    timeoutSec: z
      .number()
      .transform((input) => Math.max(0, input))
      .default(1800)
      .describe('Seconds after which a command is killed; 0: never.'),
    cleanupMs: within(60_000, 10_800_000)
      .default(1_800_000)
      .describe('Milliseconds for which a finished background command is kept, from one minute to three hours.'),
    outputMaxChars: within(1000, 200_000)
      .default(30_000)
      .describe(
        'Maximum number of output characters in a result, 1000 to 200000: a quarter from the beginning, the rest ' +
          'from the end.',
      ),
    spoolMaxMb: z
      .number()
      .min(1)
      .default(64)
      .describe('Maximum output kept per command, in megabytes; the middle of longer output is dropped.'),
    notifyOnExit: z.boolean().default(true).describe('Notify the session when a background command ends.'),
    notifyOnExitEmptySuccess: z
      .boolean()
      .default(false)
      .describe('Also notify if the command succeeded without output.'),
    approvalTimeoutSec: z.number().min(1).max(3600).default(120).describe('Seconds until an approval request expires.'),
    approvers: senders
      .default({})
      .describe(
        'Sender ids that may answer approvals in chat, by channel. The Control UI and the terminal may always.',
      ),
    pathPrepend: z.array(z.string()).default([]).describe('Folders searched before PATH.'),
    safeBins: z
      .array(z.string())
      .default([...DEFAULT_SAFE_BINS])
      .describe('Programs that need no approval if they only read standard input.'),
    passEnv: z
      .array(z.string())
      .default([])
      .describe('Environment variables to pass to commands even though they look like secrets.'),
    applyPatch: z
      .object({
        enabled: z.boolean().default(true).describe('Enable the apply_patch tool.'),
        allowModels: z
          .array(z.string())
          .optional()
          .describe('Models that may use it: `provider/model`, a model name or a `*` pattern. Absent: all.'),
        workspaceOnly: z.boolean().optional().describe('Accepted; `tools.fs.workspaceOnly` decides.'),
      })
      .prefault({})
      .describe('The apply_patch tool.'),
    node: node.optional(),
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
    .transform((input) => Math.max(0, input))
    .optional()
    .describe('As in `tools.exec`.'),
  pathPrepend: z.array(z.string()).optional().describe('Replaces `tools.exec.pathPrepend`.'),
  safeBins: z.array(z.string()).optional().describe('Replaces `tools.exec.safeBins`.'),
  node: node.optional(),
  applyPatch: accepted,
  cleanupMs: accepted,
  notifyOnExit: accepted,
});

export const elevatedSchema = z
  .object({
    enabled: z.boolean().default(true).describe('Enable elevated mode.'),
    allowFrom: senders
      .default({})
      .describe(
        'Sender ids that may use it, by channel; `*` for everybody who may write. The Control UI and the terminal ' +
          'may, unless they have an empty list here.',
      ),
  })
  .prefault({});

export const agentElevatedSchema = z.object({
  enabled: z.boolean().optional().describe('False: no elevated commands with this agent.'),
  allowFrom: senders.optional().describe('Senders who must also be listed here.'),
});

const elevatedDefaultSchema = z
  .enum(ELEVATED_LEVELS)
  .default('off')
  .describe(
    'Default elevated level for people who may use it: on and ask run outside the sandbox, full also ' +
      'without approval.',
  );

const limit = {
  memoryMb: z.number().min(16).describe('Maximum memory of one command and its children, in megabytes.'),
  processes: z.number().int().min(4).describe('Maximum number of processes and threads of one command.'),
  diskMb: z
    .number()
    .min(1)
    .describe('Maximum data one command may write (to a file, to /tmp, to the workspace), in megabytes.'),
  timeoutSec: z
    .number()
    .min(1)
    .optional()
    .describe('Seconds after which a sandboxed command is killed, regardless of the requested timeout.'),
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
    .describe('Sessions that run in a sandbox. off: none; non-main: all except the main session; all: all sessions.'),
  scope: z
    .enum(['session', 'agent', 'shared'])
    .describe('Who shares a sandbox folder: nobody, the sessions of one agent, or everybody.'),
  workspaceAccess: z
    .enum(['none', 'ro', 'rw'])
    .describe('Access of the sandbox to the workspace. none: a separate empty folder.'),
  backend: z
    .enum(['auto', 'bwrap', 'docker'])
    .describe('Sandbox implementation. auto: bubblewrap if it works, else Docker.'),
  network: z.boolean().describe('Let sandboxed commands access the network.'),
  sessionToolsVisibility: z
    .enum(['spawned', 'all'])
    .describe(
      'Sessions that a sandboxed session may see and write to. spawned: sessions it started; all: as ' +
        '`tools.sessions.visibility` allows.',
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
    limits: limits.prefault({}).describe('Resource limits of sandboxed commands.'),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment variables of sandboxed commands; they do not inherit those of the gateway.'),
    docker: z
      .object({
        image: z.string().default('debian:bookworm-slim').describe('Container image.'),
        setupCommand: z.string().optional().describe('Command to run once in a new container.'),
      })
      .prefault({})
      .describe('Settings of the Docker backend.'),
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
  limits: z.object(limit).partial().optional().describe('Each limit replaces the default.'),
  env: z.record(z.string(), z.string()).optional().describe('Added to the default variables.'),
  docker: z
    .object({
      image: z.string().optional().describe('Container image.'),
      setupCommand: z.string().optional().describe('Command to run once in a new container.'),
    })
    .optional()
    .describe('Settings of the Docker backend.'),
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
  { path: 'tools.exec', schema: execSchema.describe('Commands: where they run, what is allowed, and who approves.') },
  {
    path: 'tools.elevated',
    schema: elevatedSchema.describe('Elevated mode: who may run commands outside the sandbox or skip approvals.'),
  },
  { path: 'agents.defaults.elevatedDefault', schema: elevatedDefaultSchema },
  { path: 'agents.defaults.sandbox', schema: sandboxSchema.describe('Isolate commands and files in a sandbox.') },
  {
    path: 'agents.list[].tools.exec',
    schema: agentExecSchema.optional().describe('Command settings of this agent; they cannot exceed `tools.exec`.'),
  },
  {
    path: 'agents.list[].tools.elevated',
    schema: agentElevatedSchema
      .optional()
      .describe('Who may use elevated commands with this agent, among those `tools.elevated` allows.'),
  },
  {
    path: 'agents.list[].sandbox',
    schema: agentSandboxSchema
      .optional()
      .describe('Sandbox settings of this agent; missing ones come from `agents.defaults.sandbox`.'),
  },
];
