/** Deepgram's `/listen` as a server speaks it (developers.deepgram.com/reference/listen-file, /docs/errors). */
import type { FakeMediaWire } from '../../testing/fake-media/wire.ts';

const WORDS: Readonly<Record<number, readonly [string, string]>> = {
  400: ['Bad Request', 'Bad Request: failed to process audio: corrupt or unsupported data'],
  401: ['INVALID_AUTH', 'Invalid credentials.'],
  403: ['INSUFFICIENT_PERMISSIONS', 'Project does not have access to the requested model.'],
  429: ['TOO_MANY_REQUESTS', 'Too many requests. Please try again later.'],
};

export const deepgramListen: FakeMediaWire = {
  matches: (path) => path.endsWith('/listen'),
  answer: (text) => ({
    metadata: { request_id: 'r-1', channels: 1, models: ['nova'] },
    results: { channels: [{ alternatives: [{ transcript: text, confidence: 0.99, words: [] }] }] },
  }),
  error(status) {
    const [code, message] = WORDS[status] ?? ['INTERNAL_SERVER_ERROR', 'Something went wrong.'];
    return { err_code: code, err_msg: message, request_id: 'r-1' };
  },
};
