/** Publishes events for jobs that are added, changed, deleted, started and finished. */
import type { HostGateway } from '../../host/host.ts';
import type { CronService } from './cron-service.ts';
import { wireNews } from './wire.ts';

/** Returns how to stop. */
export const publishJobEvents = (
  cron: Pick<CronService, 'get' | 'subscribe'>,
  publish: HostGateway['publish'],
): (() => void) =>
  cron.subscribe((news) => {
    const event = wireNews(news, cron.get(news.jobId)?.name);
    if (event) publish('cron', event);
  });
