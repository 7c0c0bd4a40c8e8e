import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted } from '../../testing/sample-inbound.ts';
import { contextView } from './context-view.ts';

test('commands are told paths that were checked, never those a channel claims', () => {
  const { message, route } = accepted({ attachments: [{ kind: 'document', mime: 'text/plain', path: '/etc/passwd' }, { kind: 'image', mime: 'image/png', url: 'https://a.example/b.png' }] });
  const attachments = [{ kind: 'document', mime: 'text/plain', name: 'passwd' }, { kind: 'image', mime: 'image/png', url: 'https://a.example/b.png', path: '/state/media/inbound/b.png' }] as const;
  const view = contextView({ message, route, session: {}, files: [], attachments, notes: [] });
  assert.equal(view['MediaPath'], '/state/media/inbound/b.png');
  assert.deepEqual(view['MediaPaths'], ['/state/media/inbound/b.png']);
  assert.doesNotMatch(JSON.stringify(view), /etc\/passwd/);
});
