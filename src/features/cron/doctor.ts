/** Doctor checks of jobs: whether the gateway can read the jobs file, and which jobs have problems. */
import type { CronListResult, CronStatus } from './answers.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { type Check, fail, ok, warn } from '../../cli/doctor/check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

/** Jobs looked at one by one. Those that never run come first, so that few are enough. */
const LAST = { includeDisabled: false, sortBy: 'nextRunAtMs', sortDir: 'desc', limit: 200 };

export const checks: readonly Check[] = [
  {
    name: 'cron jobs',
    async run({ gateway }) {
      if (!('link' in gateway)) return ok('needs a running gateway');
      const status = await gateway.link.request<CronStatus>('cron.status', {});
      if (status.problem !== undefined)
        return fail(visibleLine(status.problem), `Run \`${OWN_COMMAND} cron list\` to see the jobs that still run.`);
      if (status.jobs === 0) return ok('none');
      if (!status.enabled)
        return warn(`${status.jobs} stored, but the scheduler is off`, 'Set `cron.enabled` to true.');
      const { jobs } = await gateway.link.request<CronListResult>('cron.list', LAST);
      const [first, ...others] = jobs.filter(({ problem }) => problem !== undefined);
      return first
        ? warn(
            `${visibleLine(`${first.name}: ${first.problem}`)}${others.length > 0 ? ` (and ${others.length} more)` : ''}`,
            `Run \`${OWN_COMMAND} cron list --all\` to list them.`,
          )
        : ok(`${status.jobs} in ${status.storePath}`);
    },
  },
];
