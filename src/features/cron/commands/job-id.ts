/** Resolves a job by its id, a prefix of it, or its name. */
import { AppError } from '../../../core/errors.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import type { CronListResult } from '../answers.ts';
import { shortId } from './text.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import { head } from '../../../core/cut.ts';

/** Characters that may stand for an id. */
const LEAST = 4;
const MAX_JOBS = 200;

/** Nobody, or several: `not_found`, `invalid` with what there is. */
export async function jobIdOf(link: GatewayLink, written: string): Promise<string> {
  const name = written.trim();
  const { jobs } = await link.request<CronListResult>('cron.list', {
    includeDisabled: true,
    query: head(name, 200),
    limit: MAX_JOBS,
  });
  const exact = jobs.find(({ id }) => id === name);
  if (exact) return exact.id;
  const fitting = jobs.filter(
    (job) => job.name.trim().toLowerCase() === name.toLowerCase() || (name.length >= LEAST && job.id.startsWith(name)),
  );
  if (fitting.length === 1) return fitting[0]!.id;
  if (fitting.length > 1)
    throw new AppError(
      'invalid',
      `"${visibleLine(name)}" matches several jobs: ${fitting
        .slice(0, 5)
        .map((job) => `${visibleLine(job.name)} (${shortId(job.id)})`)
        .join(', ')}; give the id.`,
    );
  throw new AppError(
    'not_found',
    `No job "${visibleLine(name)}". Run \`${OWN_COMMAND} cron list --all\` to list them.`,
  );
}
