/** What of the host the OpenAI-compatible endpoints need. */
import type { Host } from '../../host/host.ts';
import type { EndpointsConfig } from './config.ts';

export interface OpenAiHost extends Pick<Host, 'chat'> {
  readonly sessions: Pick<Host['sessions'], 'get' | 'tail'> & { canonicalKey(raw: string): string };
  readonly agents: Pick<Host['agents'], 'ids' | 'defaultId' | 'models'>;
  /** The `gateway.http.endpoints` slice as it is now. */
  endpoints(): EndpointsConfig;
  /** When the gateway began, milliseconds since the epoch. */
  readonly startedAt: number;
}
