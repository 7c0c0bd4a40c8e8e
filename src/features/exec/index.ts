/** The exec feature: commands of agents, with analysis, approvals, sandboxes and background processes. */
import { defineFeature, type FindThing } from '../../host/feature.ts';
import type { HostSessions } from '../../host/host.ts';
import { originsOf } from '../../sessions/origins.ts';
import { head } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { approvalMethods, approvalSpecs } from './approval-methods.ts';
import { execSlices } from './config.ts';
import { execConfiguration } from './configuration.ts';
import { createExec } from './create-exec.ts';
import type { ProcessService } from './exec-service.ts';
import { relayOutput } from './output-relay.ts';
import { approvalsPath, processFolder, waitingFolder } from './place.ts';
import { processMethods, processSpecs } from './process-methods.ts';
import { EXEC_EVENTS, relayExec } from './wire.ts';
import { execRules } from './setting-rules.ts';

export default defineFeature({
  id: 'exec',
  summary: 'Lets agents run commands, with approvals, sandboxes and background processes.',
  config: execSlices,
  settings: execRules,
  methods: { ...approvalSpecs, ...processSpecs },
  events: EXEC_EVENTS,

  create(host) {
    const { machine, agents, sessions, gateway } = host;
    const { env, log, clock } = machine;
    const exec = createExec({ ...host, env, log, clock, config: () => execConfiguration(host.config.current()) });
    const { approvals, processes, explainSandbox } = exec.services;
    const unfollow = relayExec(exec.services, gateway.publish);
    const output = relayOutput(processes, clock);
    const named = { canonicalKey: sessions.canonicalKey, agentIds: agents.ids };
    return {
      methods: { ...approvalMethods(approvals), ...processMethods({ processes, output, explainSandbox, ...named }) },
      clients: { admitted: () => undefined, left: output.leave },
      environment: exec.environment,
      things: { process: processFinder(processes, sessions) },
      secretPaths: () => [approvalsPath, processFolder, waitingFolder].map((path) => path(env.stateDir)),
      start: exec.start,
      // Turns that are given time to end may still run commands.
      async finish() {
        await exec.suspend();
        unfollow();
        output[Symbol.dispose]();
      },
    };
  },
});

/** Whose a process is, for those who ask who may do something to it. */
const processFinder =
  (processes: Pick<ProcessService, 'list'>, sessions: Pick<HostSessions, 'get'>): FindThing =>
  async (id) => {
    const found = (await processes.list()).find(({ sessionId }) => sessionId === id);
    if (!found)
      throw new AppError(
        'not_found',
        `Unknown process "${head(id, 128)}". \`${OWN_COMMAND} processes list\` lists the processes.`,
      );
    const startedBy = await originsOf([(await sessions.get(found.sessionKey))?.spawnedBy], sessions.get);
    return { words: `the process ${id}, of ${found.sessionKey}`, of: { sessionKey: found.sessionKey, startedBy } };
  };
