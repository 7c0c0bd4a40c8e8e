/** How long a film of ffmpeg lasts, read from its fragments: its header is written before anybody knows. Pure. */

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

/** The boxes that stand side by side; what is cut off is left out. */
function* boxes(data: Buffer): Generator<Box> {
  for (let at = 0; at + 8 <= data.length; ) {
    const short = data.readUInt32BE(at);
    const head = short === 1 ? 16 : 8;
    if (at + head > data.length) return;
    const size = short === 1 ? Number(data.readBigUInt64BE(at + 8)) : short === 0 ? data.length - at : short;
    if (size < head || at + size > data.length) return;
    yield { type: data.toString('latin1', at + 4, at + 8), body: data.subarray(at + head, at + size) };
    at += size;
  }
}

const inside = (data: Buffer, ...path: readonly string[]): readonly Buffer[] =>
  path.reduce<readonly Buffer[]>(
    (found, type) => found.flatMap((one) => [...boxes(one)].flatMap((box) => (box.type === type ? [box.body] : []))),
    [data],
  );

const flagsOf = (box: Buffer): number => box.readUIntBE(1, 3);
const isLater = (box: Buffer): boolean => box[0] === 1;

/** Milliseconds from the first picture to the end of the last; undefined: it has no fragments, or is none. */
export function mp4SpanMs(data: Buffer): number | undefined {
  try {
    const scales = new Map<number, number>();
    for (const track of inside(data, 'moov', 'trak')) {
      const [head, media] = [inside(track, 'tkhd')[0], inside(track, 'mdia', 'mdhd')[0]];
      if (head && media)
        scales.set(head.readUInt32BE(isLater(head) ? 20 : 12), media.readUInt32BE(isLater(media) ? 20 : 12));
    }
    const parts = inside(data, 'moof', 'traf').flatMap((part) => readPart(part, scales) ?? []);
    // The pictures come first; beside sound they begin later than at zero.
    const [first] = scales.keys();
    const own = parts.filter(({ track }) => track === first);
    if (own.length === 0) return undefined;
    return Math.round(Math.max(...own.map(({ end }) => end)) - Math.min(...own.map(({ begin }) => begin)));
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a box that is shorter than its kind
    throw error;
  }
}

/** One fragment of one track, in milliseconds. */
interface Part {
  readonly track: number;
  readonly begin: number;
  readonly end: number;
}

function readPart(part: Buffer, scales: ReadonlyMap<number, number>): Part | undefined {
  const [head, time] = [inside(part, 'tfhd')[0], inside(part, 'tfdt')[0]];
  const track = head?.readUInt32BE(4) ?? 0;
  const scale = scales.get(track);
  if (!head || !time || !scale) return undefined;
  const flags = flagsOf(head);
  const usual = flags & 0x8 ? head.readUInt32BE(8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0)) : 0;
  const begin = isLater(time) ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4);
  const span = inside(part, 'trun').reduce((sum, run) => sum + spanOf(run, usual), 0);
  return { track, begin: (begin * 1000) / scale, end: ((begin + span) * 1000) / scale };
}

function spanOf(run: Buffer, usual: number): number {
  const [flags, count] = [flagsOf(run), run.readUInt32BE(4)];
  if (!(flags & 0x100)) return usual * count;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const step = 4 + [0x200, 0x400, 0x800].reduce((sum, flag) => sum + (flags & flag ? 4 : 0), 0);
  let sum = 0;
  for (let at = 0; at < count; at++) sum += run.readUInt32BE(first + at * step);
  return sum;
}
