/** Tells clients what becomes of cron jobs: that one came, changed, went, began or ended. */
import { wireNews } from '../cron-wire.ts';
import type { CronService } from '../time-services.ts';
import type { Hub } from './hub.ts';

/** Returns how to stop. */
export const relayCron = (cron: CronService, hub: Hub): (() => void) => cron.subscribe((news) => {
  const event = wireNews(news, cron.get(news.jobId)?.name);
  if (event) hub.publish('cron', event);
});
