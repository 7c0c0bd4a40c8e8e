/** Doctor checks of the running gateway, or of the port it would use. */
import { createServer } from 'node:http';
import { readGatewayAddress } from '../../config/gateway-address.ts';
import { type GatewayFacts, troubles } from '../gateway-facts.ts';
import { type Check, fail, type Finding, ok, type Patient, warn } from './check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export const gatewayChecks: readonly Check[] = [
  { name: 'gateway', run: gateway },
  { name: 'open files', run: openFiles },
  { name: 'model', run: model },
];

async function gateway(patient: Patient): Promise<Finding> {
  if ('link' in patient.gateway) {
    const facts = await patient.gateway.link.request<GatewayFacts>('status', {});
    // the channels and the open files have lines of their own
    const found = troubles({ ...facts, channelProblems: [], descriptors: undefined });
    return found.length === 0
      ? ok(`${facts.version} runs at ${patient.gateway.link.url}`)
      : fail(found.join('; '), `See \`${OWN_COMMAND} logs\`.`);
  }
  const { port, mode } = await readGatewayAddress(patient.env);
  if (mode === 'remote')
    return fail(patient.gateway.problem, 'Check `gateway.remote.url` and that the remote gateway is running.');
  const taken = await portProblem(port);
  return taken === undefined
    ? warn('not running', `Start it with \`${OWN_COMMAND} gateway run\`.`)
    : fail(
        `port ${port}: ${taken}. ${patient.gateway.problem}`,
        'Stop the other program, or choose another port with `gateway.port`.',
      );
}

/** Why nothing can listen there; undefined when it is free. */
function portProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'EADDRINUSE' ? 'the port is in use by another program' : error.message),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** Those of the gateway: this process has a limit of its own. */
async function openFiles({ gateway: running }: Patient): Promise<Finding> {
  if (!('link' in running)) return ok('needs a running gateway');
  const { descriptors } = await running.link.request<GatewayFacts>('status', {});
  if (descriptors === undefined) return ok('not available on this system');
  const { limit, used, problem } = descriptors;
  return problem === undefined
    ? ok(`${used} of ${limit}`)
    : warn(problem, 'Set `LimitNOFILE=` in its service file, or `ulimit -n` before the start, to 1024 or more.');
}

async function model({ gateway: running }: Patient): Promise<Finding> {
  if (!('link' in running)) return ok('chosen when the gateway starts');
  const { model: chosen } = await running.link.request<GatewayFacts>('status', {});
  const detail = `${chosen.provider}/${chosen.model} (${chosen.source})`;
  return chosen.provider === 'offline'
    ? warn(
        detail,
        'Only the built-in helper answers. Set a key such as ANTHROPIC_API_KEY, or `agents.defaults.model.primary`.',
      )
    : ok(detail);
}
