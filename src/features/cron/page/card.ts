/** What the overview of the Control UI shows of jobs: which come next. */
import type { OverviewCard } from '../../../../ui/src/pages/glances.ts';
import { comingCard } from './coming-card.ts';

const SHOWN_JOBS = 3;

export const card: OverviewCard = {
  async load(app, askLines) {
    if (!app.offers('cron.list')) return undefined;
    const [{ jobs }, { zone }, lines] = await Promise.all([
      app.request('cron.list', { limit: SHOWN_JOBS, sortBy: 'nextRunAtMs' }),
      app.request('cron.status', {}),
      askLines(),
    ]);
    const shown = {
      jobs: jobs.filter(({ nextRunsAtMs }) => nextRunsAtMs.length > 0),
      lines: lines.map((line) => line(zone)),
      zone,
      open: (id?: string) => app.go('cron', id),
    };
    return () => comingCard(shown);
  },
};
