/** Understanding explained: what becomes text before an agent sees a message, and who does it. */
import { noParams } from '../../protocol/fields.ts';
import { defineFeature } from '../../host/feature.ts';
import { defineMethods } from '../../host/method.ts';

const methods = defineMethods({
  'understanding.status': {
    summary:
      'What becomes text before the agent sees a message – links, pictures, recordings, films, files – and ' +
      'who does it, in the order they are tried.',
    needs: 'operator.read',
    params: noParams,
  },
});

export default defineFeature({
  id: 'understanding',
  summary: 'People see what becomes of links and files before an agent sees a message, and who does it.',
  methods,

  create: ({ understanding }) => ({
    methods: { 'understanding.status': async () => ({ abilities: await understanding.abilities() }) },
  }),
});
