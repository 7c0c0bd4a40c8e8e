/** One stage of the tool policy: the tools it allows, and the settings it comes from. */

/** In the order they are asked. */
export type StageName =
  | 'profile'
  | 'provider profile'
  | 'global'
  | 'provider'
  | 'agent'
  | 'agent provider'
  | 'group'
  | 'sandbox'
  | 'sub-agent'
  | 'available';

/** A list of names as it stands somewhere; remembered by the identity of `patterns`. */
export interface ToolList {
  /** Where it stands, e.g. `agents.list[1].tools.deny`. */
  readonly setting: string;
  readonly patterns: readonly string[];
  /** Ours, not the configuration's: a name in it may be of no tool here. */
  readonly builtIn?: true;
}

export interface Stage {
  readonly stage: StageName;
  /** A tool one of them names is allowed; absent: every tool is. */
  readonly allow?: readonly ToolList[];
  /** Wins over `allow`. */
  readonly deny: readonly ToolList[];
}

/** The lists of one place in the configuration. */
export interface ToolLists {
  readonly allow?: readonly string[] | undefined;
  readonly alsoAllow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/**
 * `allow` and `alsoAllow` together are what is allowed; `alsoAllow` alone restricts nothing, nor does a list that names
 * nothing.
 */
export function stageOf(stage: StageName, lists: ToolLists | undefined, at: string): Stage {
  const deny = listAt(lists?.deny, `${at}.deny`);
  const allow = listAt(lists?.allow, `${at}.allow`);
  return allow.every(({ patterns }) => patterns.length === 0)
    ? { stage, deny }
    : { stage, deny, allow: [...allow, ...listAt(lists?.alsoAllow, `${at}.alsoAllow`)] };
}

/** None when nothing is set: an empty list is a list too. */
export const listAt = (patterns: readonly string[] | undefined, setting: string): readonly ToolList[] =>
  patterns === undefined ? [] : [{ setting, patterns }];
