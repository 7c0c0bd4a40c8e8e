/** Models: which providers can be set up, whether each has a key, and whether a model answers. */
import { defineFeature } from '../../host/feature.ts';
import { modelMethods, modelSpecs } from './methods.ts';

export default defineFeature({
  id: 'models',
  summary: 'Providers and models are set up and tested in the Control UI.',
  methods: modelSpecs,
  create: ({ agents, machine: { clock } }) => ({ methods: modelMethods({ agents, clock }) }),
});
