/** Usage: what models were used for each day, by agent, channel and model, summed from the transcripts. */
import { dirname, join } from 'node:path';
import { defineFeature } from '../../host/feature.ts';
import { listDir } from '../../platform/files.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import { storePath, transcriptPath } from '../../sessions/paths.ts';
import { usageSchema, type UsageConfig } from './config.ts';
import { createUsage } from './create-usage.ts';
import { usageMethods, usageSpecs } from './methods.ts';
import type { Transcript } from './read-transcript.ts';
import { USAGE_TABLES } from './usage-tables.ts';

const ENDING = '.jsonl';
const OTHER = 'other';

export default defineFeature({
  id: 'usage',
  summary: 'Shows tokens, cost and latency by day, model, agent and channel.',
  config: [{ path: 'usage', schema: usageSchema.describe('Budgets shown on the Usage page.') }],
  settings: { guards: [['usage', 'says which cost the owner is warned of']] },
  methods: usageSpecs,
  events: { 'usage.changed': 'operator.read' },
  tables: [USAGE_TABLES],

  create({ machine: { env, clock, log, zone }, config, journal, agents, sessions, runs, gateway }) {
    const storeOf = (agent: string): string =>
      storePath({ stateDir: env.stateDir, home: env.home, store: config.current().session.store }, agent);
    /** By id: the file is moved when the state directory is. */
    const transcript = (agent: string, sessionId: string): Transcript => ({
      agent,
      file: `${agent}/${sessionId}`,
      path: transcriptPath(storeOf(agent), sessionId),
    });
    const days = new Map<string, Intl.DateTimeFormat>();
    const dayOf = (at: number): string => {
      const name = zone();
      const format =
        days.get(name) ??
        new Intl.DateTimeFormat('en-CA', { timeZone: name, year: 'numeric', month: '2-digit', day: '2-digit' });
      days.set(name, format);
      return format.format(at);
    };
    const usage = createUsage({
      store: journal.tables(USAGE_TABLES),
      now: clock.now,
      zone,
      dayOf,
      settings: () => config.slice<UsageConfig>('usage'),
      async all() {
        // Two agents may keep their sessions in one folder; each file is one agent's.
        const folders = new Map(
          agents
            .ids()
            .toReversed()
            .map((agent) => [dirname(storeOf(agent)), agent]),
        );
        const found: Transcript[] = [];
        for (const [folder, agent] of folders)
          for (const { name } of await listDir(folder))
            if (name.endsWith(ENDING))
              found.push({ ...transcript(agent, name.slice(0, -ENDING.length)), path: join(folder, name) });
        return found;
      },
      async of(key) {
        const entry = await sessions.get(key);
        return entry && transcript(sessions.agentOf(key), entry.sessionId);
      },
      async channelOf(turnId, key) {
        const [message] = turnId ? await journal.inbound.ofTurn(turnId) : [];
        return message ? (message.trigger?.origin ?? message.message.address.channel) : channelOfKey(key);
      },
      changed: (day) => gateway.publish('usage.changed', { day }),
      failed: (error) => log.warn('usage.read', { error: error instanceof Error ? error.message : String(error) }),
    });
    const ends: (() => void)[] = [];
    return {
      methods: usageMethods(usage),
      start: async () =>
        void ends.push(runs.subscribe(({ sessionKey }, event) => event.type === 'ended' && usage.ended(sessionKey))),
      async close() {
        for (const end of ends) end();
        await usage.close();
      },
    };
  },
});

/** The journal forgets messages after a while; the key of most conversations still names the channel. */
function channelOfKey(key: string | undefined): string {
  const [first, ...rest] = parseSessionKey(key ?? '')?.rest.split(':') ?? [];
  return first !== undefined && rest.length > 0 ? first : OTHER;
}
