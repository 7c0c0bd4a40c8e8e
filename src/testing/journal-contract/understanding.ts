/** Contract of journals: results of understanding. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Understanding } from '../../core/understanding.ts';
import { accepted } from '../sample-inbound.ts';
import { reply } from '../journal-rows.ts';
import type { OpenJournalFixture } from '../journal-harness.ts';

export function understandingContract(open: OpenJournalFixture): void {
  describe('what was understood', () => {
    const page: Understanding = {
      notes: [{ kind: 'link', url: 'https://a.example', source: 'cat', text: 'a page' }],
      media: [],
      attachments: [],
      links: {
        outcome: 'success',
        urls: [
          {
            url: 'https://a.example',
            attempts: [
              {
                type: 'cli',
                command: 'cat',
                outcome: 'success',
                ms: 3,
                reached: [{ host: 'a.example', port: 443, address: '1.2.3.4' }],
              },
            ],
            chosen: {
              type: 'cli',
              command: 'cat',
              outcome: 'success',
              ms: 3,
              reached: [{ host: 'a.example', port: 443, address: '1.2.3.4' }],
            },
            ms: 4,
          },
          { url: 'http://10.0.0.1', attempts: [], blocked: 'private' },
        ],
      },
    };

    it('is kept with the message, told once, and forgotten with it', async () => {
      await using s = await open();
      const { row } = await s.journal.inbound.accept(accepted(), 'r1');
      const [id] = await s.journal.understanding.save('r1', page, 900, [reply('r1:echo')]);
      assert.deepEqual(
        await s.journal.understanding.save('r1', page, 900, [reply('r1:echo')]),
        [id],
        'made again after a crash, it is not told again',
      );
      await s.reopen();
      assert.deepEqual(await s.journal.understanding.find('r1'), page);
      assert.equal(
        await s.journal.understanding.latest(accepted().route.sessionKey),
        undefined,
        'it came without files',
      );
      const sent: Understanding = { ...page, attachments: [{ kind: 'image', mime: 'image/png' }] };
      await s.journal.understanding.save('r1', sent, 900, []);
      assert.deepEqual(await s.journal.understanding.latest(accepted().route.sessionKey), sent);
      assert.equal(await s.journal.understanding.latest('agent:main:other'), undefined);
      await s.journal.inbound.end([row.seq], { state: 'answered' });
      s.time.now = 10_000;
      await s.journal.prune(1000);
      assert.equal(await s.journal.understanding.find('r1'), undefined);
    });

    it('stands in the timeline also when the scope keeps links from being read', async () => {
      await using s = await open();
      await s.journal.inbound.accept(accepted(), 'r1');
      await s.journal.understanding.save(
        'r1',
        { notes: [], media: [], attachments: [], links: { outcome: 'scope-deny', urls: [] } },
        900,
        [],
      );
      assert.deepEqual(
        (await s.journal.timeline('r1'))!.filter(({ steps }) => steps),
        [
          {
            stage: 'link',
            at: 900,
            detail: 'links',
            ok: false,
            steps: [{ what: 'scope', outcome: 'skipped', reason: 'scope-deny' }],
          },
        ],
      );
    });

    it('stands in the timeline: tried, chosen, reached, refused', async () => {
      await using s = await open();
      await s.journal.inbound.accept(accepted(), 'r1');
      const media: Understanding['media'] = [
        {
          capability: 'audio',
          outcome: 'skipped',
          attachments: [
            {
              attachmentIndex: 0,
              name: 'v.ogg',
              attempts: [{ type: 'provider', provider: 'groq', model: 'w', outcome: 'failed', reason: 'timeout' }],
              reason: 'no model',
            },
          ],
        },
      ];
      await s.journal.understanding.save('r1', { ...page, media }, 900, []);
      assert.deepEqual(
        (await s.journal.timeline('r1'))!.filter(({ steps }) => steps),
        [
          {
            stage: 'audio',
            at: 900,
            detail: 'v.ogg',
            ok: false,
            steps: [{ what: 'groq/w', outcome: 'failed', reason: 'timeout' }],
          },
          {
            stage: 'link',
            at: 900,
            ms: 4,
            detail: 'https://a.example',
            ok: true,
            steps: [{ what: 'cat', outcome: 'success', ms: 3, chosen: true, reached: ['a.example:443 → 1.2.3.4'] }],
          },
          {
            stage: 'link',
            at: 900,
            detail: 'http://10.0.0.1',
            ok: false,
            steps: [{ what: 'guard', outcome: 'blocked', reason: 'private' }],
          },
        ],
      );
    });
  });
}
