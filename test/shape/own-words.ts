/** Finds names that use words of our own where the field has a term; the glossary has the term for each. */
import { basename } from 'node:path';
import { declaredNames, wordsOf } from './declared-names.ts';

const listed = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const OWN_WORDS = listed(`
  beat companion companions crossing crowd door doorkeeper doors doorway errand errands eyes hear hears inflow
  inlet insist knock knocks life lives look looked looking lookout looks moment moments most occasion occasions
  patience reaches scene scenes seal sealed settler told turnstile unseal verdict verdicts way ways wish wished
  wishes workbench world worlds
`);

/** Only in the product: a test may call so what it recorded. */
const OF_PRODUCT = listed('asked given heard hearing');

/** Names that are on the wire, on disk or in a command's JSON, where the word has to stay. */
const KEPT = new Map<string, readonly string[]>([
  ['src/channel-host/choice-tables.ts', ['askedBy']],
  ['src/channels/signal/envelope.ts', ['given']],
  ['src/cli/commands/access-explain.ts', ['reaches']],
  ['src/cli/commands/pairing.ts', ['told']],
  ['src/core/turn.ts', ['told']],
  ['src/features/exec/processes/lifecycle/step-process.ts', ['told']],
  ['src/host/channel-services.ts', ['reaches']],
  ['src/journal/sqlite/inbound-row.ts', ['door', 'errand']],
  ['ui/dev/fake-channels.ts', ['reaches']],
  ['ui/src/channels/sender-rights.ts', ['reaches']],
]);

/** The names that a file declares with such words, and its own name. */
export function ownWordNames(path: string, text: string, isTest: boolean): readonly string[] {
  const words = isTest ? OWN_WORDS : new Set([...OWN_WORDS, ...OF_PRODUCT]);
  return [...(mentions(words, text) ? declaredNames(path, text) : []), basename(path)].filter(
    (name) => wordsOf(name).some((word) => words.has(word)) && !KEPT.get(path)?.includes(name),
  );
}

/** Outside comments and strings, so that most files need no parser. */
function mentions(words: ReadonlySet<string>, text: string): boolean {
  const plain = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '');
  return new RegExp([...words].join('|'), 'i').test(plain);
}
