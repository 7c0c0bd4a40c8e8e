/** The web chat against its platform, which is the session's own history. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channelContract } from '../../testing/channel-contract.ts';
import { openTranscript } from '../../sessions/transcript.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import { silentLog } from '../../core/log.ts';
import webchat from './index.ts';

channelContract({
  plugin: webchat,
  address: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'main' } },
  async start() {
    const dir = await mkdtemp(join(tmpdir(), 'clawdbot-webchat-'));
    const transcript = await openTranscript({ path: join(dir, 's.jsonl'), sessionId: 's', sessionKey: 'agent:main:main', cwd: dir }, silentLog);
    return {
      config: {},
      async show({ token, payload }) {
        await transcript.append([{ type: 'message', id: turnLineId(token, 'show'), message: { role: 'user', content: [{ type: 'text', text: payload.text ?? '' }], timestamp: 0 } }]);
      },
      visible: async () => transcript.lines.flatMap((line) => (line.type === 'message' ? line.message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])) : [])),
      async [Symbol.asyncDispose]() {
        await transcript.close();
        await rm(dir, { recursive: true, force: true });
      },
    };
  },
});
