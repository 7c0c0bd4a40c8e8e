/** Where a request is to run, before its command is read: it is well formed, and may be elevated as it asks. Pure. */
import type { ElevatedLevel } from '../../core/command-levels.ts';
import { present } from '../../core/present.ts';
import type { NodeCommandLine, ShellRequest } from '../../core/shell.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { ShellPlace } from './shell-place.ts';
import { where } from './where.ts';

const MAX_COMMAND_CHARS = 128 * 1024;
/** What a node is given where a command may take for ever. */
const LONGEST_MS = 24 * 3_600_000;

/** It runs on this machine, in the sandbox of its session or outside it. */
export interface BoundHere {
  readonly host: 'gateway' | 'sandbox';
  readonly level: ElevatedLevel;
  readonly confirm: boolean;
}

export function boundFor(request: ShellRequest, place: ShellPlace): BoundHere | { readonly host: 'node' } | Refusal {
  const problem = malformed(request);
  if (problem) return refuse('invalid', problem);
  const elevation = place.elevation(request.elevated);
  if (!elevation.allowed) return refuse('elevated-unavailable', elevation.message);
  const { level, confirm = false } = elevation;
  const at = where({ request, settings: place.settings, sandboxed: place.sandbox !== undefined, elevated: level });
  if ('kind' in at) return at;
  return at.host === 'node' ? { host: 'node' } : { host: at.host, level, confirm };
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

/** The request for its node. Where the configuration names one, a call may not choose another. */
export function forNode(request: ShellRequest, { settings }: ShellPlace): NodeCommandLine | Refusal {
  const { command: line, workdir: cwd, env, security, ask, timeoutSeconds, pty } = request;
  const wanted = request.node?.trim() || undefined;
  if (settings.node !== undefined && wanted !== undefined && wanted.toLowerCase() !== settings.node.toLowerCase())
    return refuse(
      'denied',
      `This command asked for node=${wanted}, but commands of this conversation run on the node ${settings.node} ` +
        '(tools.exec.node). Leave `node` out.',
    );
  if (pty === true) return refuse('invalid', 'Nodes give commands no terminal. Leave `pty` out.');
  const timeoutMs = (timeoutSeconds ?? settings.timeoutSec) * 1000;
  return present({
    node: settings.node ?? wanted,
    line,
    cwd,
    env,
    security,
    ask,
    commandTimeoutMs: timeoutMs > 0 ? Math.min(timeoutMs, LONGEST_MS) : LONGEST_MS,
  });
}
