/** All decisions before a process starts: validity, where it runs, and permission. */
import type { ShellRequest, ShellWatch } from '../../core/shell.ts';
import { prepareBoxed } from './prepare-boxed.ts';
import { prepareHere } from './prepare-here.ts';
import type { Prepared, Settled } from './prepared.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { ShellDeps, ShellPlace } from './shell-place.ts';
import { where } from './where.ts';

const MAX_COMMAND_CHARS = 128 * 1024;

export async function prepare(
  asked: { request: ShellRequest; watch: ShellWatch; place: ShellPlace },
  deps: ShellDeps,
): Promise<Prepared | Refusal> {
  const { request, place } = asked;
  const problem = malformed(request);
  if (problem) return refuse('invalid', problem);
  const elevation = place.elevation(request.elevated);
  if (!elevation.allowed) return refuse('elevated-unavailable', elevation.message);
  const at = where({
    request,
    settings: place.settings,
    sandboxed: place.sandbox !== undefined,
    elevated: elevation.level,
  });
  if ('kind' in at) return at;
  const job = { ...asked, settled: settled(request, place, at.host) };
  return at.host === 'sandbox'
    ? prepareBoxed({ ...job, setting: place.sandbox! }, deps)
    : prepareHere({ ...job, level: elevation.level, confirm: elevation.confirm === true }, deps);
}

function malformed({ command }: ShellRequest): string | undefined {
  if (command.trim() === '') return 'Provide a command to start.';
  if (command.includes('\0')) return 'The command contains a null character, which is not allowed.';
  if (command.length <= MAX_COMMAND_CHARS) return undefined;
  return (
    `The command has ${command.length} characters; the limit is ${MAX_COMMAND_CHARS}. Write it into a file and ` +
    'run that.'
  );
}

const settled = (request: ShellRequest, { owner, settings }: ShellPlace, host: Settled['host']): Settled => ({
  owner,
  command: request.command,
  host,
  pty: request.pty === true,
  spoolMaxBytes: settings.spoolMaxMb * 1024 * 1024,
  timeoutMs: Math.max(0, (request.timeoutSeconds ?? settings.timeoutSec) * 1000),
});
