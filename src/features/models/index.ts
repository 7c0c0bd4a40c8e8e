/** The models feature: lists the providers that can be set up, whether each has a key, and tests models. */
import { defineFeature } from '../../host/feature.ts';
import { modelMethods, modelSpecs } from './methods.ts';

export default defineFeature({
  id: 'models',
  summary: 'Providers and models are set up and tested in the Control UI.',
  methods: modelSpecs,
  create: ({ agents, machine: { clock } }) => ({ methods: modelMethods({ agents, clock }) }),
});
