/** What the gateway told its agent, in words for the person who reads along. Pure. */

export interface SystemEvent {
  /** The process it is about. */
  readonly process?: string;
  readonly words: string;
  readonly tone: 'good' | 'bad' | 'quiet';
  /** The end of what it wrote. */
  readonly said?: string;
}

/** As the gateway words it for the model: `System event: Exec completed (calm-harbor, code 0) :: "last words"`. */
const ENDED = /^Exec (completed|failed) \(([\w-]+), ([^)]*)\)(?: :: (".*"))?$/s;

export function systemEvent(text: string): SystemEvent {
  const words = text.replace(/^System event:\s*/, '');
  const [, how, process, end, said] = ENDED.exec(words) ?? [];
  if (process === undefined || end === undefined) return { words, tone: 'quiet' };
  const tail = said === undefined ? undefined : unquoted(said);
  return { process, words: how === 'completed' ? 'is done' : `failed: ${end}`, tone: how === 'completed' ? 'good' : 'bad', ...(tail ? { said: tail } : {}) };
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) return quoted;
    throw error;
  }
}
