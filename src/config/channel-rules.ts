/** What the common keys say of a place: for channels whose settings have no shape of their own. Pure. */
import type { PlaceFacts, PlaceRules, Setting } from '../core/place-rules.ts';
import type { ChannelSettings, GroupSettings } from './channel-config.ts';

export function commonRules(settings: Pick<ChannelSettings, 'dmPolicy' | 'allowFrom' | 'groupPolicy' | 'groupAllowFrom' | 'groups'>, place: PlaceFacts): PlaceRules {
  const at = (key: string): string => `${place.settingsPath}.${key}`;
  const found = placeOf(settings.groups, place);
  const senders: Setting<readonly string[]> = settings.groupAllowFrom
    ? { value: settings.groupAllowFrom, path: at('groupAllowFrom') }
    : { value: settings.allowFrom, path: at('allowFrom') };
  const own = <K extends 'enabled' | 'requireMention' | 'allowFrom' | 'systemPrompt' | 'skills'>(key: K): Setting<NonNullable<GroupSettings[K]>> | undefined => {
    const hit = found.find(({ group }) => group[key] !== undefined);
    return hit && { value: hit.group[key] as NonNullable<GroupSettings[K]>, path: at(`${hit.key}.${key}`) };
  };
  const enabled = own('enabled');
  const listed = settings.groups && { value: found.length > 0 && enabled?.value !== false, path: enabled?.path ?? at('groups') };
  const systemPrompt = own('systemPrompt')?.value;
  const skills = own('skills')?.value;
  return {
    direct: { value: settings.dmPolicy, path: at('dmPolicy'), allowFrom: { value: settings.allowFrom, path: at('allowFrom') } },
    group: {
      value: settings.groupPolicy, path: at('groupPolicy'),
      ...(listed ? { listed } : {}),
      ...(settings.groupPolicy === 'open' && !own('allowFrom') ? {} : { senders: own('allowFrom') ?? senders }),
      requireMention: own('requireMention') ?? { value: true, path: at('groups') },
    },
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(skills === undefined ? {} : { skills }),
  };
}

interface Found { readonly key: string; readonly group: Partial<GroupSettings> }

/** Most specific first: the topic, the topic under `*`, the group, `*`. */
function placeOf(groups: ChannelSettings['groups'], { chat, threadId }: PlaceFacts): readonly Found[] {
  const named = groups?.[chat.id];
  const rest = groups?.['*'];
  const topic = (group: GroupSettings | undefined, key: string): Found[] => {
    const one = threadId === undefined ? undefined : group?.topics?.[threadId];
    return one ? [{ key: `${key}.topics.${threadId}`, group: one }] : [];
  };
  const key = `groups.${chat.id}`;
  return [...topic(named, key), ...topic(rest, 'groups.*'), ...(named ? [{ key, group: named }] : []), ...(rest ? [{ key: 'groups.*', group: rest }] : [])];
}
