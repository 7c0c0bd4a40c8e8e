/** Loads what the first turn of the default agent needs and a start does not: while nobody waits, step by step. */
import type { AgentsConfig } from '../config.ts';
import type { Models } from '../models/create-models.ts';
import { defaultAgentId } from '../resolve-agent.ts';
import { schemaFor } from '../schema/schema-for.ts';
import type { Toolbox } from '../toolbox/toolbox.ts';
import type { SessionKey } from '../../core/session-key.ts';
import { ownChat } from '../../host/delivery-target.ts';

export interface WarmTurnDeps {
  config(): { readonly agents: AgentsConfig };
  readonly models: Pick<Models, 'choose'>;
  readonly toolbox: Toolbox;
  /** Of an agent. */
  mainKey(agentId: string): SessionKey;
}

/** Only the configured model's library, and only texts that are kept: no file is touched, no request is made. */
export async function* warmTurn(deps: WarmTurnDeps): AsyncGenerator<void, void, void> {
  const agentId = defaultAgentId(deps.config());
  const [model] = await deps.models.choose(agentId);
  // Nobody has a conversation with a gateway that has no model.
  if (!model || model.source === 'offline') return;
  await model.open();
  yield;
  const sessionKey = deps.mainKey(agentId);
  const { tools } = deps.toolbox.of({
    route: { agentId, sessionKey, matchedBy: 'session', replyTo: ownChat(sessionKey) },
    senders: [],
    model,
    describesPictures: false,
  });
  for (const tool of tools) {
    yield;
    schemaFor(model.api, tool);
  }
}
