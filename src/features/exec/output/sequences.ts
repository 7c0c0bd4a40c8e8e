/** Recognizes terminal control sequences character by character, so that none is split by a chunk. */

/** `ESC [ 2 K`: final `K`, first parameter 2. */
export interface CsiSequence {
  readonly final: string;
  readonly parameter: number | undefined;
  /** `ESC [ ?…` and the like, which move nothing. */
  readonly marked: boolean;
}

export interface SequenceReader {
  /** In the middle of one. */
  inside(): boolean;
  /** `text`: the character belongs to no sequence; `part`: it does; a CSI sequence when this was its last character. */
  take(code: number): 'text' | 'part' | CsiSequence;
}

const ESC = 0x1b,
  CAN = 0x18,
  SUB = 0x1a,
  BEL = 0x07,
  LF = 0x0a,
  CR = 0x0d;
const CSI_8BIT = 0x9b,
  ST_8BIT = 0x9c;
const BRACKET = 0x5b,
  BACKSLASH = 0x5c;
/**
 * What follows ESC, and the one-character spellings: OSC, PM, APC, SOS (ended by a line break at the latest), DCS
 * (pictures, which have line breaks).
 */
const STRINGS = new Map([
  [0x5d, 'string'],
  [0x5e, 'string'],
  [0x5f, 'string'],
  [0x58, 'string'],
  [0x50, 'picture'],
  [0x9d, 'string'],
  [0x9e, 'string'],
  [0x9f, 'string'],
  [0x98, 'string'],
  [0x90, 'picture'],
] as const);
/** A string nobody ends is given up after this many characters: it was none. */
const MAX_STRING = 1024 * 1024;
const MAX_PARAMETERS = 32;

type State = 'ground' | 'escape' | 'csi' | 'string' | 'picture' | 'string-escape';

/** Syntax: ECMA-48 5.3–5.6; what ends a string: xterm's ctlseqs (BEL as well as ST). */
export function createSequenceReader(): SequenceReader {
  let state: State = 'ground';
  let parameters = '';
  let length = 0;

  const become = (next: State): 'part' => {
    state = next;
    parameters = '';
    length = 0;
    return 'part';
  };
  /** The sequence was none, or ended without its last character: this one is looked at afresh. */
  const again = (code: number): 'text' | 'part' => {
    become('ground');
    return ground(code);
  };

  function ground(code: number): 'text' | 'part' {
    if (code === ESC) return become('escape');
    if (code === CSI_8BIT) return become('csi');
    const string = code < 0x80 ? undefined : STRINGS.get(code as 0x9d);
    return string ? become(string) : 'text';
  }

  function escape(code: number): 'text' | 'part' {
    if (code === BRACKET) return become('csi');
    const string = code < 0x80 && length === 0 ? STRINGS.get(code as 0x5d) : undefined;
    if (string) return become(string);
    length++;
    if (code >= 0x20 && code <= 0x2f) return 'part';
    return code >= 0x30 && code <= 0x7e ? become('ground') : again(code);
  }

  function csi(code: number): 'text' | 'part' | CsiSequence {
    if (code >= 0x20 && code <= 0x3f) {
      if (parameters.length < MAX_PARAMETERS) parameters += String.fromCharCode(code);
      return 'part';
    }
    if (code === CAN || code === SUB) return become('ground');
    if (code < 0x40 || code > 0x7e) return again(code);
    const [, marker = '', first = ''] = /^([<-?]?)(\d*)/.exec(parameters) ?? [];
    become('ground');
    return {
      final: String.fromCharCode(code),
      parameter: first === '' ? undefined : Number(first),
      marked: marker !== '',
    };
  }

  function string(code: number): 'text' | 'part' {
    if (code === BEL || code === ST_8BIT || code === CAN || code === SUB) return become('ground');
    if (code === ESC) return become('string-escape');
    const foreign = state === 'picture' ? (code < 0x20 || code > 0x7e) && code !== LF && code !== CR : code === LF;
    return foreign || ++length > MAX_STRING ? again(code) : 'part';
  }

  return {
    inside: () => state !== 'ground',
    take(code) {
      switch (state) {
        case 'ground':
          return ground(code);
        case 'escape':
          return escape(code);
        case 'csi':
          return csi(code);
        case 'string-escape':
          return code === BACKSLASH ? become('ground') : (become('escape'), escape(code));
        default:
          return string(code);
      }
    },
  };
}
