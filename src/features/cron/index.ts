/** The cron feature: scheduled jobs of people and agents. */
import { AppError } from '../../core/errors.ts';
import { defineFeature, type FeatureParts, type FindThing } from '../../host/feature.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { cronConfigSchema } from './config.ts';
import type { CronService } from './cron-service.ts';
import { CRON_TABLES } from './ledger-tables.ts';
import { cronMethods, cronSpecs } from './methods.ts';
import { publishJobEvents } from './job-events.ts';
import { buildCron, jobFiles } from './run/build-cron.ts';
import { createCronPolicy } from './run/reply-policy.ts';
import { head } from '../../core/cut.ts';
import { cronRules } from './setting-rules.ts';

export default defineFeature({
  id: 'cron',
  summary: 'Runs jobs on a schedule.',
  config: [{ path: 'cron', schema: cronConfigSchema.describe('Scheduled jobs.') }],
  restartsOn: ['cron.store'],
  settings: cronRules,
  folders: ['cron'],
  tables: [CRON_TABLES],
  // The scheduler counts its jobs itself.
  origins: { cron: { written: true, work: () => 'counted' } },
  methods: cronSpecs,
  events: { cron: 'operator.read' },
  toolMethodsElsewhere: [
    'cron.status',
    'cron.list',
    'cron.get',
    'cron.add',
    'cron.update',
    'cron.remove',
    'cron.run',
    'cron.runs',
    'wake',
  ],

  create(host) {
    const { machine, agents, waker, gateway } = host;
    const cron = buildCron(host);
    const unfollow = publishJobEvents(cron, gateway.publish);
    const ofTurn: NonNullable<FeatureParts['toolMethods']>[string] = async (turn, keep) =>
      (await import('./turn/turn-host.ts')).methodsOfTurn({ host, cron, turn, keep });
    return {
      methods: cronMethods({ cron, agents, clock: machine.clock }),
      toolMethods: { cron: ofTurn, wake: ofTurn },
      replyPolicies: { cron: createCronPolicy({ isAck: (text, agentId) => waker.isAck(text, agentId) }) },
      things: { job: jobFinder(cron) },
      secretPaths: () => jobFiles(host),
      configChanged: () => cron.configChanged(),
      // thousands of jobs take a second to read
      afterStart: () => cron.start(),
      async close() {
        await cron.close();
        unfollow();
      },
    };
  },
});

/** Whose a job is, for those who ask who may do something to it. */
const jobFinder =
  (cron: Pick<CronService, 'get'>): FindThing =>
  async (id) => {
    const job = cron.get(id);
    if (!job)
      throw new AppError(
        'not_found',
        `Unknown job "${head(id, 128)}". \`${OWN_COMMAND} cron list --all\` lists all jobs.`,
      );
    const sessionKey = job.owner?.sessionKey;
    return {
      words: `the job ${job.id}, ${sessionKey === undefined ? 'made by an operator' : `of ${sessionKey}`}`,
      of: { sessionKey },
    };
  };
