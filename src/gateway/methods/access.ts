/**
 * Serves `route.explain`, `access.explain` and `access.recent`: who would answer a message, why it is let in or not,
 * and what was decided lately.
 */
import { accessExplainParams, accessRecentParams, hypotheticalParams } from '../../protocol/access.ts';
import { noParams } from '../../protocol/fields.ts';
import type { AskedAct, Hypothetical } from '../../host/channel-services.ts';
import { method, type Methods } from './method.ts';

const USUAL_RECENT = 20;

export const accessMethods: Methods = {
  'route.explain': method({
    summary: 'Which agent and session a message would reach, and what each binding says to it.',
    needs: 'operator.read',
    params: hypotheticalParams,
    run: (params, { services }) => services.access.route(params as Hypothetical),
  }),

  'route.review': method({
    summary: 'Bindings that can never match.',
    needs: 'operator.read',
    params: noParams,
    run: async (_params, { services }) => ({ issues: await services.access.review() }),
  }),

  'access.explain': method({
    summary:
      'Whether a message would be answered, who would ask, and what they may do, with every look that was ' +
      'taken; nothing is done.',
    needs: 'operator.read',
    params: accessExplainParams,
    run: (params, { services }) => services.access.access(params as Hypothetical & AskedAct),
  }),

  'access.recent': method({
    summary: 'The newest messages, each with what the access gate decided and why.',
    needs: 'operator.read',
    params: accessRecentParams,
    run: async ({ limit = USUAL_RECENT, ...filter }, { services }) => ({
      messages: await services.access.recent({ ...filter, limit }),
    }),
  }),
};
