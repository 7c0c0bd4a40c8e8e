/** Rules about the settings of nodes beside their schema. */
import type { SettingRules } from '../../config/setting-rules.ts';

export const nodesRules: SettingRules = {
  guards: [['gateway.nodes', 'says which commands of nodes may be invoked']],
  own: [],
  limiting: [['gateway.nodes', ['denyCommands']]],
};
