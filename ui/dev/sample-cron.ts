/** Sample jobs for the Control UI in development: a few of every kind, or many. */
import { type Params, MINUTE, HOUR, DAY, FakeCron, jobOf, zone } from './fake-cron.ts';

/** Every state the page can show. */
export function sampleCron(cron: FakeCron, now = Date.now()): void {
  const turn = (message: string, more: Params = {}): Params => ({ kind: 'agentTurn', message, ...more });
  const ran = (ago: number, lastStatus: string, more: Params = {}): Params => ({
    lastRunAtMs: now - ago,
    lastStatus,
    lastDurationMs: 21_400,
    ...more,
  });
  cron.jobs = [
    jobOf({
      id: 'job-morning',
      name: 'Morning report',
      description: 'For the kitchen table',
      schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: zone() },
      payload: turn(
        'Look through my notes for today, the weather and what is still open from yesterday. Five lines, no more.',
        { deliver: true, channel: 'telegram', to: '4711', model: 'anthropic/claude-opus-4-6', thinking: 'low' },
      ),
      state: ran(17 * HOUR, 'ok'),
      missed: { policy: 'once', maxAgeMs: 6 * HOUR },
      owner: { sessionKey: 'agent:main:main' },
    }),
    jobOf({
      id: 'job-inbox',
      name: 'Sort the inbox',
      schedule: { kind: 'cron', expr: '*/30 * * * *', tz: zone() },
      payload: turn('Sort new mail into folders; tell me only of what cannot wait.', { deliver: false }),
      state: ran(11 * MINUTE, 'ok', { lastDurationMs: 8100 }),
    }),
    jobOf({
      id: 'job-backup',
      name: 'Back up the notes',
      schedule: { kind: 'cron', expr: '0 22 * * *', tz: zone() },
      payload: turn('Run the backup script and tell me when it fails.', { deliver: true, channel: 'last' }),
      state: ran(3 * HOUR, 'error', {
        consecutiveErrors: 3,
        lastError: 'the model vendor asks to wait (429); tried again at 22:05, 22:10 and 22:25',
      }),
    }),
    jobOf({
      id: 'job-call',
      name: 'Call the plumber',
      schedule: { kind: 'at', atMs: now + 23 * MINUTE },
      sessionTarget: 'main',
      wakeMode: 'now',
      payload: { kind: 'systemEvent', text: 'Remind Ada to call the plumber about Thursday.' },
      deleteAfterRun: true,
    }),
    jobOf({
      id: 'job-garden',
      name: 'Water the garden',
      agentId: 'garden',
      schedule: { kind: 'cron', expr: '0 9,18 * * *', tz: zone() },
      sessionTarget: 'session:agent:main:main',
      payload: turn('Check the soil sensors and water what is dry.'),
      state: { ...ran(2 * HOUR, 'skipped'), runningAtMs: now - 9000 },
    }),
    jobOf({
      id: 'job-news',
      name: 'Week in review',
      schedule: { kind: 'cron', expr: '0 18 * * 5', tz: zone() },
      payload: turn('What happened this week?', { deliver: true, channel: 'matrix', to: '!room' }),
      problem: 'The channel "matrix" is not configured. Set it up or change where the answer goes.',
    }),
    jobOf({
      id: 'job-rent',
      name: 'Rent',
      enabled: false,
      schedule: { kind: 'cron', expr: '0 9 1 * *', tz: zone() },
      payload: turn('Pay the rent.'),
      state: {
        ...ran(22 * DAY, 'error', { lastError: 'unknown model "gpt-3"' }),
        disabledReason:
          'Switched off after 5 failures: unknown model "gpt-3". Choose another model and switch it on again.',
      },
    }),
  ];
  cron.runs = Array.from({ length: 34 }, (_, index) => {
    const at = now - (34 - index) * 18 * HOUR;
    const status = index === 9 ? 'skipped' : index % 11 === 6 ? 'error' : 'ok';
    return {
      ts: at + 20_000,
      action: 'finished',
      jobId: 'job-morning',
      status,
      runAtMs: at,
      durationMs: status === 'skipped' ? 0 : 9000 + ((index * 7919) % 37) * 1000,
      slotMs: at,
      attempt: status === 'error' ? 0 : index % 11 === 7 ? 1 : 0,
      trigger: index % 11 === 7 ? 'retry' : index === 20 ? 'catch-up' : index === 30 ? 'manual' : 'schedule',
      runId: `cron:job-morning:${at}`,
      sessionKey: 'agent:main:cron:job-morning',
      deliveryStatus: status === 'ok' ? 'delivered' : 'not-requested',
      ...(status === 'error'
        ? { error: 'rate_limited: the model vendor asks to wait' }
        : status === 'skipped'
          ? { error: 'missed by 9 h, more than missed.maxAge allows' }
          : {
              summary:
                index === 33
                  ? 'Two meetings before noon, rain from three, and the plumber still waits for an answer.'
                  : '',
            }),
    };
  });
  cron.heartbeat = {
    ts: now - 12 * MINUTE,
    agentId: 'main',
    sessionKey: 'agent:main:main',
    status: 'ok',
    reason: 'interval',
    nextAtMs: now + 18 * MINUTE,
    enabled: true,
  };
}

/** As many as nobody has. */
export function manyJobs(cron: FakeCron, count: number): void {
  cron.jobs = Array.from({ length: count }, (_, index) =>
    jobOf({
      id: `job-${index}`,
      name: `Check number ${index}`,
      schedule: { kind: 'every', everyMs: (20 + index) * HOUR },
      payload: { kind: 'agentTurn', message: `Look at ${index}` },
    }),
  );
}
