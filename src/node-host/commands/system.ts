/** `system.run`, `system.run.prepare`, `system.which`: runs approved programs on this machine. */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { childEnv } from '../../platform/child-env.ts';
import { exec, findProgram, type ExecResult } from '../../platform/exec.ts';
import { statIfExists } from '../../platform/files.ts';
import { NodeError, nothing, type NodeCall, type NodeMachine, type Offer } from '../offer.ts';
import { readParams } from '../read-params.ts';

const argv = z
  .array(z.string().max(128 * 1024))
  .min(1)
  .max(1024);
const runParams = z.looseObject({
  command: argv,
  cwd: z.string().max(4096).nullish(),
  env: z.record(z.string().max(256), z.string().max(32_768)).nullish(),
  timeoutMs: z.number().positive().nullish(),
  approved: z.boolean().nullish(),
  needsScreenRecording: z.boolean().nullish(),
  systemRunPlan: z.looseObject({ argv, cwd: z.string().nullish() }).nullish(),
});
type RunParams = z.output<typeof runParams>;
const prepareParams = z.looseObject({ command: argv, cwd: z.string().max(4096).nullish() });
const whichParams = z.looseObject({ bins: z.array(z.string().min(1).max(256)).max(200) });

const MAX_OUTPUT = 200_000;
/** A program that writes more is ended. */
const MAX_COLLECTED = 16 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/** They change what a program does before it begins. */
const FORBIDDEN = /^(?:NODE_OPTIONS|PYTHONHOME|PYTHONPATH|PERL5LIB|PERL5OPT|RUBYOPT|BASH_ENV|ENV|LD_.*|DYLD_.*)$/i;

export function offerSystem(machine: NodeMachine): Offer {
  const which = { 'system.which': (params: unknown) => locate(params, machine) };
  if (machine.settings.exec === 'off') {
    const off = nothing(
      'system',
      ['system.run', 'system.run.prepare'],
      'SYSTEM_RUN_DISABLED: switched off at the node',
    );
    return { ...off, commands: which };
  }
  return {
    cap: 'system',
    commands: {
      ...which,
      'system.run.prepare': (params) => prepare(params, machine),
      'system.run': (params, call) => run(params, call, machine),
    },
    unavailable: {},
    permissions: { system: true },
  };
}

async function locate(params: unknown, { env }: NodeMachine): Promise<unknown> {
  const { bins } = readParams(whichParams, params);
  const found = await Promise.all(bins.map(async (name) => [name, await findProgram(name, env.vars['PATH'])] as const));
  return { bins: Object.fromEntries(found.filter(([, path]) => path !== undefined)) };
}

async function prepare(params: unknown, machine: NodeMachine): Promise<unknown> {
  const { command, cwd } = readParams(prepareParams, params);
  const folder = await folderOf(cwd, machine);
  const commandText = command.map(quoted).join(' ');
  return { plan: { argv: command, cwd: folder, commandText, commandPreview: commandText.slice(0, 200) } };
}

async function run(params: unknown, { signal, timeoutMs }: NodeCall, machine: NodeMachine): Promise<unknown> {
  const input = readParams(runParams, params);
  if (input.approved !== true)
    throw new NodeError('SYSTEM_RUN_DENIED', 'SYSTEM_RUN_DENIED: approval required: run it through the agent');
  if (input.needsScreenRecording && machine.settings.screen === false)
    throw new NodeError('PERMISSION_MISSING', 'PERMISSION_MISSING: screenRecording is switched off at the node');
  const plan = input.systemRunPlan;
  if (plan && JSON.stringify(plan.argv) !== JSON.stringify(input.command))
    throw new NodeError('INVALID_REQUEST', 'the command is not the one of its plan');
  const [command, ...args] = input.command as [string, ...string[]];
  const result = await exec({
    command,
    args,
    env: envOf(input, machine),
    cwd: await folderOf(plan?.cwd ?? input.cwd, machine),
    timeoutMs: Math.min(input.timeoutMs ?? DEFAULT_TIMEOUT_MS, timeoutMs),
    maxOutputBytes: MAX_COLLECTED,
    signal,
  });
  return outcomeOf(result);
}

function outcomeOf(result: ExecResult): object {
  if (result.kind === 'not_started') throw new NodeError('SYSTEM_RUN_FAILED', result.reason);
  const exitCode = result.kind === 'exited' ? result.code : null;
  const error = {
    exited: null,
    signalled: result.kind === 'signalled' ? `ended by ${result.signalName}` : null,
    timeout: 'timed out',
    too_much_output: 'ended: it wrote more than 16 MiB',
    aborted: 'stopped by the gateway',
  }[result.kind];
  return {
    exitCode,
    timedOut: result.kind === 'timeout',
    success: exitCode === 0,
    stdout: tail(result.stdout.toString('utf8')),
    stderr: tail(result.stderr),
    error,
  };
}

const tail = (text: string): string =>
  text.length <= MAX_OUTPUT ? text : `[… ${text.length - MAX_OUTPUT} characters cut]\n${text.slice(-MAX_OUTPUT)}`;

/** The person's own, without secrets; of the variables the model set those that only mean something to the program. */
function envOf({ env: extra }: RunParams, { env }: NodeMachine): Record<string, string> {
  const base = childEnv(env.vars);
  for (const [name, value] of Object.entries(extra ?? {})) {
    if (FORBIDDEN.test(name)) throw new NodeError('INVALID_REQUEST', `env: ${name} may not be set`);
    if (name === 'PATH' && !value.endsWith(env.vars['PATH'] ?? ''))
      throw new NodeError('INVALID_REQUEST', 'env: PATH must end with the PATH of the node');
    base[name] = value;
  }
  return base;
}

async function folderOf(cwd: string | null | undefined, { env }: NodeMachine): Promise<string> {
  const folder = cwd ? (isAbsolute(cwd) ? cwd : resolve(env.home, cwd)) : env.home;
  if ((await statIfExists(folder))?.kind !== 'directory')
    throw new NodeError('INVALID_REQUEST', `cwd: ${folder} is no folder of the node`);
  return folder;
}

/** As a POSIX shell would need it written. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
