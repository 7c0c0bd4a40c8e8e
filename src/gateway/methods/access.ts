/**
 * Serves `route.explain`, `access.explain` and `access.recent`: which agent answers a message, whether it is admitted
 * and why, and recent decisions.
 */
import { accessExplainParams, accessRecentParams, routeExplainParams } from '../../protocol/access.ts';
import { noParams } from '../../protocol/fields.ts';
import type { ActQuestion, Hypothetical } from '../../host/channel-services.ts';
import { method, type Methods } from './method.ts';

const USUAL_RECENT = 20;

export const accessMethods: Methods = {
  'route.explain': method({
    summary: 'Explains which agent and session a message would reach, and how each binding matches.',
    needs: 'operator.read',
    params: routeExplainParams,
    run: ({ bindings, ...message }, { services }) => services.access.route(message as Hypothetical, bindings),
  }),

  'route.review': method({
    summary: 'Lists bindings that can never match.',
    needs: 'operator.read',
    params: noParams,
    run: async (_params, { services }) => ({ issues: await services.access.review() }),
  }),

  'access.explain': method({
    summary:
      'Explains whether a message would be answered, who the requester is, and what they may do, with every ' +
      'check that was ' +
      'made; has no side effects.',
    needs: 'operator.read',
    params: accessExplainParams,
    run: (params, { services }) => services.access.access(params as Hypothetical & ActQuestion),
  }),

  'access.recent': method({
    summary: 'Lists the newest messages with the access decision and its reason.',
    needs: 'operator.read',
    params: accessRecentParams,
    run: async ({ limit = USUAL_RECENT, ...filter }, { services }) => ({
      messages: await services.access.recent({ ...filter, limit }),
    }),
  }),
};
