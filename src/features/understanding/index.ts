/** Understanding explained: what becomes text before an agent sees a message, and who does it. */
import { noParams } from '../../protocol/fields.ts';
import { defineFeature } from '../../host/feature.ts';
import { defineMethods } from '../../host/method.ts';

const methods = defineMethods({
  'understanding.status': {
    summary:
      'Models and commands that turn links, images, audio, video and files into text before the agent sees a ' +
      'message, ' +
      'in the order they are tried.',
    needs: 'operator.read',
    params: noParams,
  },
});

export default defineFeature({
  id: 'understanding',
  summary: 'Shows how links and files become text before an agent sees a message.',
  methods,

  create: ({ understanding }) => ({
    methods: { 'understanding.status': async () => ({ abilities: await understanding.abilities() }) },
  }),
});
