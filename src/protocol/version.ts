/** The supported versions of the Gateway WebSocket protocol. */

/** The level this gateway speaks. */
export const PROTOCOL_VERSION = 4;

/** Nodes and probes may be one level behind, so that they stay manageable while machines are upgraded one by one. */
const MIN_NODE_OR_PROBE_VERSION = 3;

/** The highest level both sides speak, or undefined when there is none. */
export function agreeOnProtocol(client: {
  readonly minProtocol: number;
  readonly maxProtocol: number;
  readonly mayLag: boolean;
}): number | undefined {
  const agreed = Math.min(client.maxProtocol, PROTOCOL_VERSION);
  const lowest = Math.max(client.minProtocol, client.mayLag ? MIN_NODE_OR_PROBE_VERSION : PROTOCOL_VERSION);
  return agreed >= lowest ? agreed : undefined;
}
