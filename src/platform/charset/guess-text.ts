/**
 * Detects the charset of text without a declaration by the bigrams of languages. It is slow and runs in worker
 * threads.
 */
import iconv from 'iconv-lite';
import { detectAll } from 'jschardet';
import type { OldCharsets } from './decode-bytes.ts';
import { isLikelyText } from './is-likely-text.ts';

/**
 * What is told apart, and which of two pages with nearly the same letters is taken where the bytes fit both: the
 * earlier. Others that the
 * library knows (mainframes, Macintosh beyond the West) stand for short texts too often.
 */
const FAMILIES: readonly (readonly string[])[] = [
  ['windows-1252', 'iso-8859-15'],
  ['windows-1250', 'iso-8859-2'],
  ['windows-1251'],
  ['windows-1253', 'iso-8859-7'],
  ['windows-1254', 'iso-8859-9'],
  ['windows-1255', 'iso-8859-8'],
  ['windows-1256'],
  ['windows-1257', 'iso-8859-13'],
  ['windows-874', 'tis-620'],
  ['iso-8859-5'],
  ['iso-8859-6'],
  ['koi8-r', 'koi8-u'],
  ['shift_jis'],
  ['euc-jp'],
  ['iso-2022-jp'],
  ['gb18030'],
  ['big5'],
  ['euc-kr'],
  ['macintosh'],
  ['cp437', 'cp850', 'cp865'],
  ['cp852'],
  ['ibm866'],
  ['cp737'],
  ['cp775'],
  ['cp857'],
  ['cp862'],
];
const PLACES = new Map(
  FAMILIES.flatMap((family, at) => family.map((charset, within) => [charset, { family: at, within }] as const)),
);

/** As the library calls the same. */
const THEIR_NAMES: Readonly<Record<string, readonly string[]>> = {
  ibm866: ['cp866'],
  macintosh: ['mac-roman'],
  'windows-874': ['cp874'],
  shift_jis: ['cp932', 'shift_jis_2004'],
  'euc-jp': ['euc-jis-2004'],
  'iso-2022-jp': ['iso2022-jp-2', 'iso2022-jp-2004', 'iso2022-jp-ext'],
  big5: ['big5hkscs'],
  'euc-kr': ['euc-kr', 'cp949'],
};
const CANDIDATES = FAMILIES.flat().flatMap((charset) => THEIR_NAMES[charset] ?? [charset]);
const OUR_NAMES = new Map([
  ...Object.entries(THEIR_NAMES).flatMap(([ours, theirs]) => theirs.map((name) => [name, ours] as const)),
  ['macroman', 'macintosh'] as const,
]);

/** Bytes around the first letters that tell; more would not tell more. */
const PROBE = 8 * 1024;
/**
 * Two readings as likely as this are a toss; of pages with nearly the same letters only when nothing tells them apart.
 */
const TOSS = 0.97;
const SAME = 0.9999;
/**
 * With fewer signs than this and no letter beyond ASCII (`10°C`, `£5`) it is Western text; so it is with any number of
 * those that printers use.
 */
const FEW = 4;
const TYPOGRAPHY = /[“”‘’–—…•€™]/;

/** Fewer letters than this are weighed otherwise. */
const THIN = 3;
/** Bytes: a single word with such a letter could be one of a dozen languages. */
const WORD = 12;
const PRIOR = 1.3;
const THIN_TOSS = 0.8;

/** Charsets from before Unicode, distinguished by the words they give. */
export const guessing: OldCharsets = { guess, reads, decode };

interface Reading {
  readonly charset: string;
  readonly text: string;
  readonly confidence: number;
}

/** Undefined when nothing makes sense of it, or two readings make as much. */
function guess(bytes: Uint8Array): string | undefined {
  const probe = aroundLetters(bytes);
  if (onlyFewSigns(probe)) return 'windows-1252';
  if (isThin(probe) && probe.length < WORD) return undefined;
  const readings = detectAll(probe, { minimumThreshold: 0, detectEncodings: CANDIDATES }).flatMap(
    (found): Reading[] => {
      const charset = ourName(found.encoding);
      const text = charset === undefined ? undefined : decode(charset, probe);
      return text !== undefined && isLikelyText(text)
        ? [{ charset: charset!, text, confidence: found.confidence }]
        : [];
    },
  );
  const [best, ...others] = withPrior(readings, probe);
  const rival = best && others.find(({ text }) => text !== best.text);
  if (!best || !rival || rival.confidence < best.confidence * (isThin(probe) ? THIN_TOSS : TOSS)) return best?.charset;
  const [one, other] = [PLACES.get(best.charset)!, PLACES.get(rival.charset)!];
  if (one.family !== other.family) return undefined;
  return rival.confidence < best.confidence * SAME || one.within < other.within ? best.charset : rival.charset;
}

/** One or two letters tell little: what is written most often is likelier then. */
function withPrior(readings: readonly Reading[], probe: Uint8Array): readonly Reading[] {
  if (!isThin(probe)) return readings;
  return readings
    .map((reading) =>
      reading.charset === 'windows-1252' ? { ...reading, confidence: reading.confidence * PRIOR } : reading,
    )
    .toSorted((a, b) => b.confidence - a.confidence);
}

const isThin = (probe: Uint8Array): boolean => probe.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0) < THIN;

function ourName(theirs: string | null): string | undefined {
  const name = theirs?.toLowerCase().replace(/^iso(?=8859)/, 'iso-') ?? '';
  const ours = OUR_NAMES.get(name) ?? name;
  return PLACES.has(ours) ? ours : undefined;
}

/** A log of plain letters with one name in it is classified by the name. */
function aroundLetters(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  return bytes.subarray(Math.max(0, first - 1024), Math.max(0, first) + PROBE);
}

function onlyFewSigns(probe: Uint8Array): boolean {
  const text = new TextDecoder('windows-1252').decode(probe);
  const foreign = text.match(/[^\x00-\x7f]/gu) ?? [];
  return (
    (foreign.length < FEW || foreign.every((char) => TYPOGRAPHY.test(char))) &&
    foreign.every((char) => /[^\p{L}\p{Cc}]/u.test(char)) &&
    isLikelyText(text) &&
    !SIGN_BEHIND_LETTER.test(text)
  );
}

/** A sign that ends a word or stands alone is a letter of another page, unless it is one that does. */
const SIGN_BEHIND_LETTER = /\p{L}[^\x00-\x7F\p{L}²³’”…»®™°]|(?<![^\s])[^\x00-\x7F\p{L}€£¥§©«»°±×÷·¼½¾–—…•](?![^\s])/u;

/** The name of a page by which it is read, for one that `TextDecoder` does not have. */
function reads(label: string): string | undefined {
  const name = label
    .trim()
    .toLowerCase()
    .replace(/^(?:ibm|dos|windows|oem)[-_ ]?(?=(?:437|7\d\d|8\d\d)$)/, 'cp');
  return /^cp\d{3}$/.test(name) && iconv.encodingExists(name) ? name : undefined;
}

/** Leniently. */
function decode(charset: string, bytes: Uint8Array): string {
  return charset.startsWith('cp')
    ? iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), charset)
    : new TextDecoder(charset).decode(bytes);
}
