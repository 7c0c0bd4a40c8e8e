/** Access rules: the common keys; on the owner's own number nobody gets a pairing code. Pure. */
import { commonRules, type PlaceFacts, type PlaceRules } from '../../sdk/index.ts';
import type { WhatsappConfig } from './config.ts';

export function rules(config: WhatsappConfig, place: PlaceFacts): PlaceRules {
  const common = commonRules(config, place);
  if (!config.selfChatMode || common.direct.value !== 'pairing') return common;
  return {
    ...common,
    direct: { ...common.direct, value: 'allowlist', path: `${place.settingsPath}.selfChatMode` },
  };
}
