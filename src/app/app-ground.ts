/** Creates the base of the app: plugins, models, the channel registry, the stores, the rules of routes and keys. */
import { join } from 'node:path';
import { createModels } from '../agent/models/create-models.ts';
import { createReconciler } from '../agent/turn/reconciler.ts';
import { CHOICE_TABLES } from '../channel-host/choice-tables.ts';
import { createChannelRegistry } from '../channel-host/channel-registry.ts';
import { toolboxMaker } from '../channel-host/channel-toolbox.ts';
import { memoize } from '../core/memoize.ts';
import { sessionKeysBy, type KeyRules } from '../core/session-key.ts';
import { PAGE_NAMES } from '../config/reserved-paths.ts';
import { methodTable } from '../gateway/methods/table.ts';
import { createJournal } from '../journal/create-journal.ts';
import { createSendLines, type SendLines } from '../pipeline/delivery/send-lines.ts';
import { keyRules, type RoutingRules } from '../pipeline/routing/route.ts';
import { routedChannel, routingRules } from '../pipeline/routing-rules.ts';
import { ownDescriptors, turnsWithin } from '../platform/descriptors.ts';
import { createNearFiles } from '../platform/near-files.ts';
import { privateDir } from '../platform/private-dir.ts';
import { loadPlugins } from '../plugins/load-plugins.ts';
import { EVENTS } from '../protocol/events.ts';
import type { Config } from '../schema.ts';
import { createMediaStore } from '../sessions/media-store.ts';
import { storePath } from '../sessions/paths.ts';
import { createSessions } from '../sessions/sessions.ts';
import { createSessionStore } from '../sessions/store.ts';
import { createTranscripts } from '../sessions/transcripts.ts';
import type { AppDeps } from './app-deps.ts';

export type Ground = Awaited<ReturnType<typeof createGround>>;

export async function createGround(deps: AppDeps) {
  const { env, log, clock } = deps;
  const config = (): Config => deps.config.current();
  const now = (): number => clock.now();
  await privateDir(env.stateDir, log);
  const found = await loadPlugins({
    config: config(),
    env,
    log,
    features: deps.features,
    names: [...methodTable({ methods: {} }).names, ...Object.keys(EVENTS)],
    pages: PAGE_NAMES,
  });
  const models = createModels({
    config,
    env: env.vars,
    log,
    loadProvider: (id) => found.plugins.loadProvider(id),
    providerIds: () => found.plugins.ids('provider'),
    now: () => clock.monotonic(),
  });
  const channels = createChannelRegistry({
    plugins: found.described,
    config: () => config().channels,
    variable: (name) => env.get(name),
  });
  const rulesIn = memoize((now: Config) => routingRules(now, (id) => routedChannel(channels.plugin(id))));
  const rules = (): RoutingRules => rulesIn(config());
  const keyRulesIn = memoize(keyRules);
  const keys = sessionKeysBy(() => keyRulesIn(rules()));
  const lines = createSendLines(channels.connection);
  const turnsFit = turnsWithin(ownDescriptors());
  return {
    env,
    log,
    clock,
    config,
    now,
    found,
    models,
    channels,
    lines,
    rules,
    keys,
    turnsFit,
    docsPath: join(deps.root, 'docs'),
    media: createMediaStore(env.stateDir, now),
    toolboxOf: await toolboxMaker({ config, plugins: found.plugins, channels }),
    ...createStores(deps, { turnsFit, keyRules: keys.rules, lines }),
  };
}

/** What outlives a run of the gateway: the journal, the sessions with their transcripts, and what writes them down. */
function createStores(
  { env: { stateDir, home }, log, clock, features, config }: AppDeps,
  { turnsFit, keyRules: rules, lines }: { turnsFit: number; keyRules(): KeyRules; lines: SendLines },
) {
  const now = (): number => clock.now();
  const session = (): Config['session'] => config.current().session;
  const tables = [CHOICE_TABLES, ...features.flatMap((feature) => feature.tables ?? [])];
  const journal = createJournal({ path: join(stateDir, 'journal.sqlite'), now, begins: lines.begins, tables, log });
  const store = createSessionStore({
    log,
    clock,
    path: (agentId) => storePath({ stateDir, home, store: session().store }, agentId),
    redo: { ...journal.redo, record: (redo) => journal.redo.record(redo, { sync: false }) },
  });
  const transcripts = createTranscripts({ log, now, maxHeld: turnsFit, files: createNearFiles(stateDir) });
  const kept = { store, transcripts, stateDir, home };
  const sessions = createSessions({ ...kept, log, now, config: session, keyRules: rules });
  return { journal, store, transcripts, sessions, reconciler: createReconciler({ journal, transcripts, log, clock }) };
}
