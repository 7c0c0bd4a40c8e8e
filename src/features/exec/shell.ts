/** One command from request to result: analysis and permission, then the process. */
import type { Shell, ShellOutcome, ShellRequest, ShellWatch } from '../../core/shell.ts';
import { awaitCommand } from './await-command.ts';
import { shownOf } from './output/shown-of.ts';
import { boundFor, forNode } from './bound-for.ts';
import { permitted } from './permitted.ts';
import { refuse } from './refusal.ts';
import type { ShellDeps, ShellPlace } from './shell-place.ts';
import { processVisibility } from './process-visibility.ts';

export function createShell(place: ShellPlace, deps: ShellDeps): Shell {
  return {
    run: (request, watch) => run({ request, watch, place }, deps),
    processes: deps.registry.of(place.owner.agentId, {
      delivered: shownOf(place.settings),
      sees: processVisibility(place),
    }),
  };
}

interface ShellCall {
  readonly request: ShellRequest;
  readonly watch: ShellWatch;
  readonly place: ShellPlace;
}

async function run({ request, watch, place }: ShellCall, deps: ShellDeps): Promise<ShellOutcome> {
  const bound = boundFor(request, place);
  if ('kind' in bound) return bound;
  if (bound.host === 'node') {
    const command = forNode(request, place);
    return 'kind' in command ? command : { kind: 'elsewhere', command };
  }
  const prepared = await permitted({ request, watch, place, bound }, deps);
  if ('kind' in prepared) return prepared;
  if (watch.signal.aborted) return refuse('aborted', 'Stopped before the command started.');
  const started = await deps.registry.start(prepared);
  if ('problem' in started) return refuse('not-started', started.problem);
  return awaitCommand(started, { request, watch, place, clock: deps.clock, warnings: prepared.warnings });
}
