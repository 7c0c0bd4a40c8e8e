/** Resolves how much of a turn's work the conversation shows: an option of the message overrides the session. Pure. */
import type { TurnOptions } from '../../core/turn.ts';
import type { SessionEntry } from '../../sessions/entry.ts';

interface Behind {
  readonly options: Pick<TurnOptions, 'verbose' | 'reasoning'>;
  readonly entry: Pick<SessionEntry, 'verboseLevel' | 'reasoningLevel'> | undefined;
}

/** `on`: each tool as it begins; `full`: with what came of it. */
export const verboseOf = ({ options, entry }: Behind): 'off' | 'on' | 'full' =>
  options.verbose ?? entry?.verboseLevel ?? 'off';

/** `on`: thoughts as a message before the answer; `stream`: while they are thought, where a preview can be edited. */
export const reasoningOf = ({ options, entry }: Behind): 'off' | 'on' | 'stream' =>
  options.reasoning ?? entry?.reasoningLevel ?? 'off';
