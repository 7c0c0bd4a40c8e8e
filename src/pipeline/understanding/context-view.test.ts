/** What templates of configured commands are told of a message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MESSAGE_VARIABLES } from '../../config/template-variables.ts';
import type { InboundMessage } from '../../core/message.ts';
import { accepted } from '../../testing/sample-inbound.ts';
import { contextView } from './context-view.ts';
import { fillTemplate, type TemplateContext } from './template.ts';

test('commands get checked paths, never those a channel claims', () => {
  const { message, route } = accepted({
    attachments: [
      { kind: 'document', mime: 'text/plain', path: '/etc/passwd' },
      { kind: 'image', mime: 'image/png', url: 'https://a.example/b.png' },
    ],
  });
  const attachments = [
    { kind: 'document', mime: 'text/plain', name: 'passwd' },
    { kind: 'image', mime: 'image/png', url: 'https://a.example/b.png', path: '/state/media/inbound/b.png' },
  ] as const;
  const view = contextView({ message, route, session: {}, files: [], attachments, notes: [] });
  assert.equal(view['MediaPath'], '/state/media/inbound/b.png');
  assert.deepEqual(view['MediaPaths'], ['/state/media/inbound/b.png']);
  assert.doesNotMatch(JSON.stringify(view), /etc\/passwd/);
});

test('G119 G120 a reply, a forward, a thread and a place have their fields, and what is unknown has none', () => {
  const { message, route } = accepted();
  const view = (over: Partial<InboundMessage>): TemplateContext =>
    contextView({ message: { ...message, ...over }, route, session: {}, files: [], attachments: [], notes: [] });
  const full = view({
    quoted: { id: 'q1', text: 'before', sender: 'Bob', partial: true },
    forwarded: { from: 'News', at: 7 },
    threadStarter: { text: 'The topic' },
    address: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: '-100' }, threadId: '42' },
    place: { chat: 'Family', thread: 'Trips', members: 5 },
    location: { latitude: 52.5, longitude: 13.4, name: 'Café' },
  });
  assert.equal(
    fillTemplate(
      '{{ReplyToId}} {{ReplyToBody}} {{ReplyToSender}} {{ReplyToIsQuote}} | {{ForwardedFrom}} ' +
        '{{ForwardedDate}} | {{ThreadStarterBody}} {{ThreadLabel}} {{MessageThreadId}} | {{GroupSubject}} ' +
        '{{GroupMembers}} {{OriginatingChannel}} {{OriginatingTo}} | {{LocationLat}} {{LocationLon}} ' +
        '{{LocationName}}',
      full,
    ),
    'q1 before Bob true | News 7 | The topic Trips 42 | Family 5 pipe -100 | 52.5 13.4 Café',
  );
  assert.equal(view({ quoted: { id: 'q2', media: 'image' } })['ReplyToBody'], '<media:image>');
  assert.equal(
    fillTemplate(
      '{{ReplyToId}}{{ReplyToBody}}{{ForwardedFrom}}{{ThreadLabel}}{{GroupSubject}}{{LocationLat}}',
      view({}),
    ),
    '',
  );
});

test('every documented fact of a message is one the view knows', () => {
  const { message, route } = accepted();
  const view = contextView({ message, route, session: {}, files: [], attachments: [], notes: [] });
  assert.deepEqual(
    MESSAGE_VARIABLES.filter((name) => !(name in view)),
    [],
  );
});
