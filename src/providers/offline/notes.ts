/** Takes a message apart as the agent was given it: the person's own words, and each note with its heading. Pure. */
import { unwrap } from './unwrap.ts';

export interface SeenNote {
  readonly heading: string;
  readonly text: string;
}

export interface Apart {
  /** The person's words; those of a voice note when nothing was written. */
  readonly ask: string;
  readonly notes: readonly SeenNote[];
}

/**
 * `[Audio]`, `[Link 1/2]`, `<file name="a.csv" mime="text/csv">`: a heading on a line of its own; a remark names its
 * file behind it.
 */
const HEADING = /^(?:\[([A-Z][^\]\n]{0,160})\](?: "[^\n]*)?|<([a-z][\w-]*)(?:\s+name="([^"\n]*)")?(?:\s[^>\n]*)?>)$/;
const OWN_WORDS = 'User text:';
const INTRODUCTIONS = /^(?:Transcript|Description):$/;
const RECOGNISER = /^Recognised by: [\w-]+$/;

export function takeApart(text: string): Apart {
  const lines = unwrap(text).split('\n');
  const starts = headings(lines);
  const before = lines
    .slice(0, starts[0] ?? lines.length)
    .join('\n')
    .trim();
  const sections = starts.map((start, nth) => section(lines.slice(start, starts[nth + 1])));
  const written = [
    before.startsWith(OWN_WORDS) ? before.slice(OWN_WORDS.length).trim() : before,
    ...sections.map(({ own }) => own),
  ].find(Boolean);
  const spoken = sections.find(({ note }) => note.heading.startsWith('Audio'))?.note.text;
  return { ask: written ?? spoken ?? '', notes: sections.map(({ note }) => note) };
}

/** Where notes begin; what a file says is not one of them, whatever it looks like. */
function headings(lines: readonly string[]): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at < lines.length; at++) {
    const found = HEADING.exec(lines[at]!);
    if (!found) continue;
    starts.push(at);
    const end = found[2] ? lines.indexOf(`</${found[2]}>`, at) : -1;
    if (end > 0) at = end;
  }
  return starts;
}

/** One note; the person's words may stand in the first of them. */
function section([head = '', ...body]: readonly string[]): { own: string; note: SeenNote } {
  const [, heading, tag, name] = HEADING.exec(head) ?? [];
  const close = tag ? body.indexOf(`</${tag}>`) : -1;
  const inside = close < 0 ? body : body.slice(0, close);
  const from = inside.findIndex((line) => INTRODUCTIONS.test(line));
  const until = RECOGNISER.test(inside[from - 1] ?? '') ? from - 1 : from;
  const own = inside[0] === OWN_WORDS ? inside.slice(1, Math.max(1, until)).join('\n').trim() : '';
  return {
    own,
    note: {
      heading: heading ?? [tag, name].filter(Boolean).join(' '),
      text: inside
        .slice(from + 1)
        .join('\n')
        .trim(),
    },
  };
}
