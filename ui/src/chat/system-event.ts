/** Converts a system event into text for the reader. Pure. */

export interface SystemEvent {
  /** The process of the event. */
  readonly process?: string;
  readonly words: string;
  readonly tone: 'good' | 'bad' | 'quiet';
  /**
   * Text that does not come from the gateway: the last output of a program, a message of another session, external
   * content.
   */
  readonly said?: string;
}

/** The wording of the gateway for the model: `System event: Exec completed (calm-harbor, code 0) :: "last words"`. */
const ENDED = /^Exec (completed|failed) \(([\w-]+), ([^)]*)\)(?: :: (".*"))?$/s;

export function systemEvent(text: string): SystemEvent {
  if (!text.startsWith('System event:')) return { tone: 'quiet', ...eventWords(withoutTask(text)) };
  const words = withoutTask(text.replace(/^System event:\s*/, ''));
  const [, how, process, end, said] = ENDED.exec(words) ?? [];
  if (process === undefined || end === undefined) return { tone: 'quiet', ...(outside(words) ?? { words }) };
  const tail = said === undefined ? undefined : unquoted(said);
  return {
    process,
    words: how === 'completed' ? 'finished' : `failed: ${end}`,
    tone: how === 'completed' ? 'good' : 'bad',
    ...(tail ? { said: tail } : {}),
  };
}

/** Removes the instructions and the time, which are only for the agent. */
const withoutTask = (text: string): string =>
  text
    .replace(/\n+Current time: [^\n]{1,120}\s*$/, '')
    .replace(/\n\nNobody wrote this\. Do what it asks for, [^\n]*$/, '')
    .trim();

type EventWords = Pick<SystemEvent, 'words' | 'said'>;

/**
 * A turn that no person started: `[cron:<id> <name>] <message>`, `[hook <name>] <message>`, a heartbeat, or a message
 * of another session.
 */
function eventWords(text: string): EventWords {
  const [, kind, name = '', message = ''] = /^\[(cron:\S+|hook) ([^\]\n]*)\] ([\s\S]*)$/.exec(text) ?? [];
  if (kind !== undefined)
    return titled(kind === 'hook' ? 'Hook' : 'Job', name.trim(), outside(message) ?? { words: message });
  if (text.startsWith('Heartbeat: nobody wrote, ')) return { words: 'Heartbeat' };
  const found = outside(text);
  // External text is wrapped in instructions for the model; the first sentence names its source.
  return found?.said === undefined
    ? { words: text }
    : { words: /^[^\n]{1,300}?(?=\. )/.exec(found.words)?.[0] ?? found.words, said: found.said };
}

const titled = (kind: string, name: string, { words, said }: EventWords): EventWords => ({
  words: `${kind} “${name}”${words === '' || words === name ? '' : `: ${words}`}`,
  ...(said === undefined ? {} : { said }),
});

const BLOCK =
  /(?:[^\n]*nobody here has vouched for it\.[^\n]*\s+)?<<<EXTERNAL_UNTRUSTED_CONTENT id="([0-9a-f]{16})">>>\n([\s\S]*?)\n<<<END_EXTERNAL_UNTRUSTED_CONTENT id="\1">>>/;

/** Undefined: all text is the gateway's own. */
function outside(text: string): EventWords | undefined {
  const [block, , inside = ''] = BLOCK.exec(text) ?? [];
  if (block === undefined) return undefined;
  return { words: text.replace(block, () => ' ').trim(), said: inside.slice(inside.indexOf('---\n') + 4).trim() };
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch (error) {
    if (error instanceof SyntaxError) return quoted;
    throw error;
  }
}
