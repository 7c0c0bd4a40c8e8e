/** The traits of messages of one origin that no person sent. */
import type { Trigger, TurnOrigin } from '../core/trigger.ts';
import type { WorkKind } from '../sessions/lanes.ts';

/** What holds for the turns of one origin. */
export interface OriginTraits {
  /** A person wrote the text: links in it are read, attachments are understood. */
  readonly written?: true;
  /** How many of its turns run at once is counted with this kind of work. Absent: with what nobody waits for. */
  work?(trigger: Trigger): WorkKind;
}

/** The traits by origin. An origin without an entry has none. */
export type Origins = Partial<Readonly<Record<TurnOrigin, OriginTraits>>>;
