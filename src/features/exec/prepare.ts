/** All decisions before a process starts on this machine: what it would be, in a sandbox or not, and permission. */
import type { ShellRequest, ShellWatch } from '../../core/shell.ts';
import type { BoundHere } from './bound-for.ts';
import { prepareBoxed } from './prepare-boxed.ts';
import { prepareHere } from './prepare-here.ts';
import type { Prepared, Settled } from './prepared.ts';
import type { Refusal } from './refusal.ts';
import type { ShellDeps, ShellPlace } from './shell-place.ts';

export async function prepare(
  input: { request: ShellRequest; watch: ShellWatch; place: ShellPlace; bound: BoundHere },
  deps: ShellDeps,
): Promise<Prepared | Refusal> {
  const { request, place, bound } = input;
  const job = { ...input, settled: settled(request, place, bound.host) };
  return bound.host === 'sandbox'
    ? prepareBoxed({ ...job, setting: place.sandbox! }, deps)
    : prepareHere({ ...job, level: bound.level, confirm: bound.confirm }, deps);
}

const settled = (request: ShellRequest, { owner, settings }: ShellPlace, host: Settled['host']): Settled => ({
  owner,
  command: request.command,
  host,
  pty: request.pty === true,
  spoolMaxBytes: settings.spoolMaxMb * 1024 * 1024,
  timeoutMs: Math.max(0, (request.timeoutSeconds ?? settings.timeoutSec) * 1000),
});
