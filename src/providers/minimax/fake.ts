/**
 * MiniMax's picture description as a server speaks it: its own no comes with status 200
 * (platform.minimax.io/docs/api-reference/errorcode).
 */
import type { FakeMediaWire } from '../../testing/fake-media/wire.ts';

export const minimaxPictures: FakeMediaWire = {
  matches: (path) => path === '/v1/coding_plan/vlm',
  answer: (text) => ({ content: text, base_resp: { status_code: 0, status_msg: 'success' } }),
  error: (status) => ({ base_resp: { status_code: 1000, status_msg: `unknown error (${status})` } }),
};
