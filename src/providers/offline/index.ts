/**
 * The embedded default: a small deterministic program in the place of a model, so that everything works without a key.
 */
import { type ChatProvider, withManners } from '../../sdk/index.ts';
import { concierge } from './concierge.ts';

const offline: ChatProvider = {
  id: 'offline',
  label: 'Offline',
  apis: [],
  defaultModel: 'concierge',
  catalogue: [
    {
      id: 'concierge',
      name: 'Concierge (offline, no model)',
      reasoning: false,
      input: ['text'],
      contextWindow: 200_000,
      maxTokens: 8192,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  ],
  chat: (modelId, settings) => withManners(concierge(modelId), { settings, vendor: offline }),
};

export default offline;
