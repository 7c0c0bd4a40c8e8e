/** The configuration as far as commands read it. */
import type { Host } from '../../host/host.ts';

export type ExecConfiguration = Pick<ReturnType<Host['config']['current']>, 'agents' | 'tools' | 'access'>;
