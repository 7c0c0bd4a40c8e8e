/** The parsers of external text that run on the event loop, for the test that runs hostile text through each. */
import { fitsPattern } from './surface/check-text.ts';
import { containerOf, isPointer, segmentsOf } from './surface/data-path.ts';
import { mediaAddress, safeColour, safeFont } from './surface/safe-url.ts';
import { textLines } from './surface/text-parts.ts';

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'a2ui path': segmentsOf,
  'a2ui pointer': isPointer,
  'a2ui list as text': containerOf,
  'a2ui address': (text) => mediaAddress(text, 'image', 'ask', new Set()),
  'a2ui colour': safeColour,
  'a2ui font': safeFont,
  'a2ui text': textLines,
  'a2ui pattern': (text) => fitsPattern('a'.repeat(200), text),
  'a2ui value': (text) => fitsPattern(text, '[^@ ]+@[^@ ]+'),
};
