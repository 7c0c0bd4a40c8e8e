/** Deepgram's transcriptions of whole recordings. */
import type { Provider } from '../../sdk/index.ts';
import { listening } from './media.ts';

const deepgram: Provider = {
  id: 'deepgram',
  label: 'Deepgram',
  apis: [],
  envKeys: ['DEEPGRAM_API_KEY'],
  media: { audio: listening(() => deepgram) },
};

export default deepgram;
