/** The text an agent reads for a heartbeat or an event. Pure. */
import { timeLine, type LocalTime } from '../../core/time-line.ts';
import { HEARTBEAT_FILE, HEARTBEAT_OK } from '../../core/trigger.ts';

/** Unless `prompt` is configured. */
export const DEFAULT_PROMPT =
  `Heartbeat: nobody wrote, this is your regular look around. Do what ${HEARTBEAT_FILE} asks, and only that; ` +
  'what was settled earlier in this conversation stays settled. If nothing needs a person now, answer ' +
  `${HEARTBEAT_OK} and nothing else. Otherwise say what they have to know, without that word.`;

const NEW_EVENTS = 'The system events above came since the last answer: deal with them as well.';
const DEAL_WITH_IT =
  'Nobody wrote this. Do what it asks for, and tell the person what concerns them in your own words. If nobody ' +
  `has to hear of it, answer ${HEARTBEAT_OK} and nothing else.`;

export interface TickFacts extends LocalTime {
  readonly prompt: string | undefined;
  /** What the file holds, cut to size; absent: there is none, or nothing in it. */
  readonly file: string | undefined;
  /** Something happened that the agent has not answered yet. */
  readonly events: boolean;
}

/** The time comes last: all before it is the same from tick to tick. */
export function tickText({ prompt, file, events, ...localTime }: TickFacts): string {
  const about = file === undefined ? [] : [`<file name="${HEARTBEAT_FILE}">\n${file}\n</file>`];
  return [prompt ?? DEFAULT_PROMPT, ...about, ...(events ? [NEW_EVENTS] : []), timeLine(localTime)].join('\n\n');
}

/** Below what happened. */
export const eventTask = (localTime: LocalTime): string => `${DEAL_WITH_IT}\n\n${timeLine(localTime)}`;
