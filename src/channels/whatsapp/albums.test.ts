/** Albums are put together by ids that their senders choose: nobody gets into the message of somebody else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ANN, BOB, group, stage } from './harness.ts';
import { mediaFields } from './library/fake.ts';

test('a piece that names the album of somebody else is a message of its own', async () => {
  await using on = await stage();
  const piece = (caption: string) => ({
    messageContextInfo: {
      messageAssociation: { associationType: 1, parentMessageKey: { id: 'A7', remoteJid: group.id } },
    },
    imageMessage: { ...mediaFields(Buffer.from(caption)), mimetype: 'image/jpeg', caption },
  });
  const announced = { albumMessage: { expectedImageCount: 3 } };
  await on.platform.bring(announced, { chat: group, by: ANN, id: 'A7' });
  await on.platform.bring(piece('look'), { chat: group, by: ANN });
  await on.platform.bring({ albumMessage: { expectedImageCount: 1 } }, { chat: group, by: BOB, id: 'A7' });
  await on.platform.bring(piece('/approve abcd allow-once'), { chat: group, by: BOB });
  await on.platform.bring(piece('at this'), { chat: group, by: ANN });
  await on.platform.bring(piece('garden'), { chat: group, by: ANN });
  await on.platform.bring({ conversation: 'last' }, { chat: group, by: ANN });
  await on.harness.heard(({ text }) => text === 'last');
  assert.deepEqual(
    on.harness.fixture.received.map(({ sender, said }) => [sender.id, said]),
    [
      [ANN, 'look\nat this\ngarden'],
      [BOB, '/approve abcd allow-once'],
      [ANN, 'last'],
    ],
  );
});
