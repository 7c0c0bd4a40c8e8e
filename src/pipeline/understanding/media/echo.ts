/** Tells a person what was understood of their recording. */
import type { MediaBlock } from '../../../config/understanding-config.ts';
import type { Note } from '../../../core/understanding.ts';

/** Undefined when it is switched off or nothing was understood. */
export function echoOf(
  notes: readonly Note[],
  { echoTranscript, echoFormat }: Pick<MediaBlock, 'echoTranscript' | 'echoFormat'>,
): string | undefined {
  const spoken = notes.flatMap((note) => (note.kind === 'audio' ? [note.text] : []));
  if (!echoTranscript || spoken.length === 0) return undefined;
  const transcript = spoken.join('\n\n');
  // A function: `$&` in what somebody said stays what they said.
  return echoFormat.replaceAll('{transcript}', () => transcript);
}
