/**
 * Guesses the code page of eight-bit text from the letters it would give: frequent ones count for it, impossible
 * neighbours against it.
 */

interface CodePage {
  /** As `TextDecoder` spells it. */
  readonly charset: string;
  /** Letters its languages use most. */
  readonly common: RegExp;
  /** The rest of its letters. */
  readonly possible: RegExp;
  /** Its letters stand in words with Latin ones, have words of their own, or have no need of spaces at all. */
  readonly words: 'latin' | 'own' | 'unspaced';
}

const WESTERN = { common: /[éèêëàâäçùüöôîïñáíóúßåøæã¿¡’“”–]/, possible: /[ûõÉÈÀÇÜÖÄÑÁÍÓÚÅØÆÊÔœŒ«»„‚‘…€°§£©®·º—]/ };
const CENTRAL = {
  common: /[ąćęłńóśźżáčďéěíňřšťúůýžőűöüăâîșțşţ]/,
  possible: /[ĄĆĘŁŃÓŚŹŻÁČĎÉĚÍŇŘŠŤÚŮÝŽŐŰÖÜßäđĐ„”“’–—…§°«»]/,
};
const RUSSIAN = { common: /[оеаинтсрвлкмдпуяызбгчйхіїєў]/, possible: /[а-яёА-ЯЁІЇЄЎ«»—–№…„“”]/ };
const HAN = /[\u4E00-\u9FFF\u3000-\u303F\uFF00-\uFF5E“”‘’—…·《》]/;

/** In this order the first of equals wins. */
const CODE_PAGES: readonly CodePage[] = [
  {
    charset: 'shift_jis',
    common: /[\u3041-\u3096、。]/,
    possible: /[\u30A1-\u30FC\u4E00-\u9FFF\u3000-\u303F\uFF01-\uFF5E]/,
    words: 'unspaced',
  },
  {
    charset: 'euc-jp',
    common: /[\u3041-\u3096、。]/,
    possible: /[\u30A1-\u30FC\u4E00-\u9FFF\u3000-\u303F\uFF01-\uFF5E]/,
    words: 'unspaced',
  },
  {
    charset: 'gb18030',
    common:
      /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里好请文件谢您，。]/,
    possible: HAN,
    words: 'unspaced',
  },
  {
    charset: 'big5',
    common:
      /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡好請文件謝您，。]/,
    possible: HAN,
    words: 'unspaced',
  },
  {
    charset: 'euc-kr',
    common: /[이다는에의을가고하로지한도기사어서를은나리자시아해대인그들일수있것만니까요습안녕세]/,
    possible: /[\uAC00-\uD7A3]/,
    words: 'unspaced',
  },
  { charset: 'windows-1251', ...RUSSIAN, words: 'own' },
  { charset: 'koi8-r', ...RUSSIAN, words: 'own' },
  { charset: 'windows-1252', ...WESTERN, words: 'latin' },
  { charset: 'windows-1250', ...CENTRAL, words: 'latin' },
  { charset: 'iso-8859-2', ...CENTRAL, words: 'latin' },
  { charset: 'macintosh', ...WESTERN, words: 'latin' },
];

/** Below this no page makes sense of the bytes. */
const ENOUGH = 0.25;
/**
 * Signs stand among few others; in longer text they would speak against other Latin pages, which have letters in their
 * places.
 */
const LONE_SIGN: CodePage = {
  charset: 'windows-1252',
  common: WESTERN.common,
  possible: new RegExp(`${WESTERN.possible.source}|[¢¥¦¬±²³µ¶¹¼½¾×÷]`),
  words: 'latin',
};
/**
 * With fewer bytes beyond ASCII than these it is a sign or an accent (`10°C`, `£5`) in Western text, not a word of
 * another script.
 */
const FEW = 4;
/** Bytes that are tried in every page: some hundred letters tell it, and all of it is work of the main thread. */
const PROBE = 2 * 1024;

/**
 * Undefined when no code page makes text of it. The bytes are known to hold no control characters and to be no UTF-8.
 */
export function guessCodePage(bytes: Uint8Array): string | undefined {
  const probe = aroundLetters(bytes);
  if (probe.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0) < FEW && scoreOf(probe, LONE_SIGN) >= ENOUGH)
    return LONE_SIGN.charset;
  const scored = CODE_PAGES.map((page) => ({ charset: page.charset, score: scoreOf(probe, page) }));
  const best = scored.reduce((winner, next) => (next.score > winner.score ? next : winner));
  return best.score >= ENOUGH ? best.charset : undefined;
}

/** A log of plain letters with one name in it is classified by the name. */
function aroundLetters(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  return bytes.subarray(Math.max(0, first - 64), first + PROBE);
}

function scoreOf(probe: Uint8Array, page: CodePage): number {
  const text = strictly(page.charset, probe);
  if (text === undefined) return -1;
  const foreign = Array.from(text.matchAll(/[^\x00-\x7f]/gu));
  if (foreign.length === 0) return -1;
  const points = foreign.map((match) =>
    pointsOf(
      match[0],
      { before: text[match.index - 1] ?? ' ', after: text[match.index + match[0].length] ?? ' ' },
      page,
    ),
  );
  return points.reduce((sum, each) => sum + each, 0) / foreign.length;
}

function pointsOf(char: string, near: { before: string; after: string }, page: CodePage): number {
  if (!fits(char, near, page)) return -1;
  if (page.common.test(char)) return 1;
  return page.possible.test(char) ? 0.5 : -0.5;
}

/** Letters of a script keep together; a capital or a sign does not stand inside a word. */
function fits(char: string, { before, after }: { before: string; after: string }, { words }: CodePage): boolean {
  if (/[\u0080-\u009F]/.test(char)) return false;
  if (words === 'unspaced') return !(/[a-z]/i.test(before) && /[a-z]/i.test(after));
  if (words === 'own')
    return !/\p{L}/u.test(char) || !(/[a-z]/i.test(before + after) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(char)));
  if (/[^\x00-\x7f]/.test(before) && /[^\x00-\x7f]/.test(after)) return !/\p{L}/u.test(before + after);
  const insideWord = /[a-z]/.test(before) && /[a-z]/.test(after);
  return !insideWord || /[\p{Ll}’·]/u.test(char);
}

/** Undefined when a sequence is impossible; one cut off at the end is no fault. */
function strictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
