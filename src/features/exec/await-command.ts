/** Waits until a command ends, moves to the background, or its turn is stopped. */
import type { ShellOutcome, ShellRequest, ShellWatch } from '../../core/shell.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ExecSettings } from './exec-settings.ts';
import { shownOf } from './output/shown-of.ts';
import type { Started } from './processes/create-processes.ts';
import type { ShellPlace } from './shell-place.ts';

export interface AwaitedCommand {
  readonly request: ShellRequest;
  readonly watch: ShellWatch;
  readonly place: ShellPlace;
  readonly clock: Clock;
  readonly warnings: readonly string[];
}

const YIELD_MS = { least: 10, max: 120_000 };

export async function awaitCommand(started: Started, attended: AwaitedCommand): Promise<ShellOutcome> {
  const { request, watch, place, clock } = attended;
  const warnings = summary(attended);
  const toBackground = async (): Promise<ShellOutcome> => {
    await started.toBackground();
    return { kind: 'running', view: started.view(), warnings };
  };
  if (place.mayBackground && request.background === true) return toBackground();
  const silent = started.onOutput((tail) => watch.progress(tail));
  const yielded = Promise.withResolvers<'yield'>();
  using timer = clock.setTimeout(() => yielded.resolve('yield'), yieldMs(request, place.settings));
  if (!place.mayBackground) timer.cancel();
  const onAbort = (): void => void started.abort();
  watch.signal.addEventListener('abort', onAbort, { once: true });
  if (watch.signal.aborted) onAbort();
  try {
    const first = await Promise.race([started.ended, yielded.promise]);
    if (first === 'yield') return toBackground();
    const { output, cut } = await started.read(shownOf(place.settings));
    const kept = cut > 0 && place.mayBackground;
    await (kept ? started.keep() : started.discard());
    return { kind: 'ended', view: first, output, cut, kept, warnings };
  } finally {
    silent();
    watch.signal.removeEventListener('abort', onAbort);
  }
}

function summary({ request, place, warnings }: AwaitedCommand): readonly string[] {
  const wantsBackground = request.background === true || request.yieldMs !== undefined;
  return place.mayBackground || !wantsBackground
    ? warnings
    : [...warnings, 'Warning: background execution is disabled; running synchronously.'];
}

/** How long a call is waited for before its conversation goes on. */
export const yieldMs = ({ yieldMs: wanted }: ShellRequest, { backgroundMs }: ExecSettings): number =>
  Math.min(
    YIELD_MS.max,
    Math.max(YIELD_MS.least, wanted !== undefined && Number.isFinite(wanted) ? wanted : backgroundMs),
  );
