/** Access rules from the common keys, for channels without settings of their own. Pure. */
import { readPlaceKey, isSameId } from '../core/place-key.ts';
import type { PlaceFacts, PlaceRules, Setting } from '../core/place-rules.ts';
import { present } from '../core/present.ts';
import type { ChannelSettings, GroupSettings } from './channel-config.ts';

export function commonRules(
  settings: Pick<ChannelSettings, 'dmPolicy' | 'allowFrom' | 'groupPolicy' | 'groupAllowFrom' | 'groups'>,
  place: PlaceFacts,
): PlaceRules {
  const at = (key: string): string => `${place.settingsPath}.${key}`;
  const found = placeOf(settings.groups, place);
  const senders: Setting<readonly string[]> = settings.groupAllowFrom
    ? { value: settings.groupAllowFrom, path: at('groupAllowFrom') }
    : { value: settings.allowFrom, path: at('allowFrom') };
  const own = <K extends 'enabled' | 'requireMention' | 'allowFrom' | 'systemPrompt' | 'skills'>(
    key: K,
  ): Setting<NonNullable<GroupSettings[K]>> | undefined => {
    const hit = found.find(({ group }) => group[key] !== undefined);
    return hit && { value: hit.group[key] as NonNullable<GroupSettings[K]>, path: at(`${hit.key}.${key}`) };
  };
  const enabled = own('enabled');
  const listed = settings.groups && {
    value: found.length > 0 && enabled?.value !== false,
    path: enabled?.path ?? at('groups'),
  };
  const systemPrompt = own('systemPrompt')?.value;
  const skills = own('skills')?.value;
  return {
    direct: {
      value: settings.dmPolicy,
      path: at('dmPolicy'),
      allowFrom: { value: settings.allowFrom, path: at('allowFrom') },
    },
    group: {
      value: settings.groupPolicy,
      path: at('groupPolicy'),
      ...present({
        listed,
        senders: settings.groupPolicy === 'open' && !own('allowFrom') ? undefined : (own('allowFrom') ?? senders),
      }),
      requireMention: own('requireMention') ?? { value: true, path: at('groups') },
    },
    ...present({ systemPrompt, skills }),
  };
}

interface Found {
  readonly key: string;
  readonly group: Partial<GroupSettings>;
}

/** Most specific first: the topic, the topic under `*`, the group, `*`. */
function placeOf(groups: ChannelSettings['groups'] = {}, { chat, threadId, ids }: PlaceFacts): readonly Found[] {
  const spelled = (key: string): boolean => {
    const read = ids && readPlaceKey(key, ids.chat, '');
    return read?.kind === 'id' && isSameId(read.id, chat.id);
  };
  const named = Object.keys(groups).filter((key) => key !== chat.id && key !== '*' && spelled(key));
  const entries = [chat.id, ...named, '*'].flatMap((key) =>
    Object.hasOwn(groups, key) ? [{ key: `groups.${key}`, group: groups[key]! }] : [],
  );
  const topics = entries.flatMap(({ key, group: { topics: listed = {} } }) =>
    threadId !== undefined && Object.hasOwn(listed, threadId)
      ? [{ key: `${key}.topics.${threadId}`, group: listed[threadId]! }]
      : [],
  );
  return [...topics, ...entries];
}
