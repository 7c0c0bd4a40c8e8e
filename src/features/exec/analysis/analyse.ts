/** Determines what a command line would start by parsing it, or why that is not certain. */
import type { ApprovalStep } from '../../../core/approval.ts';
import { present } from '../../../core/present.ts';
import type { Analysis, AnalysisContext } from './analysis.ts';
import { writePlan } from './plan.ts';
import { pathAt, type Place } from './programs/place.ts';
import { textTrouble, tooLong } from './reading/command-text.ts';
import { resolveScript } from './resolve-script.ts';
import { doneByShell } from './shell-commands.ts';

/**
 * Never rejects because of the text: what cannot be read is not proven. Rejects only when the machine cannot be asked
 * (a broken disk).
 */
export async function analyse(command: string, context: AnalysisContext): Promise<Analysis> {
  const place: Place = { context, cwd: context.cwd };
  const long = tooLong(command);
  if (long !== undefined) return { proven: false, why: [long], steps: [] };
  const { readLine } = await import('./reading/read-line.ts');
  const { reading, outline } = readLine(command);
  const unseen = textTrouble(command);
  const parsed: Awaited<ReturnType<typeof resolveScript>> =
    'why' in reading ? reading : await resolveScript(reading.pipelines, place);
  const missing = unseen === undefined && 'why' in parsed ? parsed.missing : undefined;
  const why = [...(unseen === undefined ? [] : [unseen]), ...('why' in parsed ? parsed.why : [])];
  if ('why' in parsed || why.length > 0)
    return present({ proven: false, why, steps: await locate(outline(), place), missing });
  return {
    proven: true,
    segments: parsed.resolved.flatMap(({ commands }) => commands.map(({ segment }) => segment)),
    plan: writePlan(parsed.resolved),
  };
}

/** Adds the file each step would start, as far as its name is known. A folder it may have changed to is not known. */
function locate(steps: readonly ApprovalStep[], { context }: Place): Promise<readonly ApprovalStep[]> {
  const moves = steps.some(({ words }) => words[0] === 'cd' || words[0] === undefined);
  return Promise.all(
    steps.map(async (step) => {
      const [name] = step.words;
      if (name === undefined || doneByShell(name)) return step;
      const wanted = name.includes('/') ? pathAt(name, { context, cwd: moves ? undefined : context.cwd }) : name;
      const path = wanted ? await context.locate(wanted) : undefined;
      return path === undefined ? step : { ...step, path };
    }),
  );
}
