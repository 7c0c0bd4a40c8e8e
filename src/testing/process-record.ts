/** The record of a foreground process. */
import type { ProcessRecord } from '../features/exec/processes/process-record.ts';
import { specOf } from './processes-harness.ts';

/** Started at 1000, held by process 7, with ten seconds to run. */
export const processRecord = (change: Partial<ProcessRecord> = {}): ProcessRecord => ({
  version: 1,
  id: 'calm-otter',
  owner: specOf('true').owner,
  command: 'true',
  cwd: '/',
  host: 'gateway',
  pty: false,
  startedAt: 1_000,
  timeoutMs: 10_000,
  spoolMaxBytes: 1_000,
  holder: { pid: 7, birth: '' },
  background: false,
  inputClosed: false,
  cursor: 0,
  spool: { headBytes: 0, recentStart: 0, recentBytes: 0, outStart: 0 },
  diskFull: false,
  over: false,
  told: false,
  daemons: [],
  ...change,
});
