/** Groq's transcriptions. Its chat models are a row of the OpenAI-compatible vendors. */
import { SPEECH_TYPES, transcription, type Provider } from '../../sdk/index.ts';

const groq: Provider = {
  id: 'groq',
  label: 'Groq',
  apis: [],
  envKeys: ['GROQ_API_KEY'],
  media: {
    audio: transcription({
      defaultModel: 'whisper-large-v3-turbo',
      rank: 20,
      accepts: SPEECH_TYPES,
      owner: () => groq,
      baseUrl: ({ baseUrl }) => baseUrl ?? 'https://api.groq.com/openai/v1',
    }),
  },
};

export default groq;
