/** Rules about the browser settings beside their schema: which are guarded, and their former names. */
import type { Draft, SettingRules } from '../../config/setting-rules.ts';

/** The service that describes screenshots was a setting of the browser; it is now a setting of images. */
function visionModels(draft: Draft): void {
  const models = draft.get(['browser', 'models']);
  if (!Array.isArray(models)) return;
  draft.remove(['browser', 'models']);
  draft.put(
    ['tools', 'media', 'image', 'models'],
    models,
    ['browser', 'models'],
    'Write it as `tools.media.image.models`; it works as it is.',
  );
}

export const browserRules: SettingRules = {
  guards: [['browser', 'says which browsers there are and what their pages reach']],
  limiting: [
    ['browser', ['enabled', 'evaluateEnabled', 'ssrfPolicy', 'attachOnly', 'node']],
    ['browser.node', ['mode', 'id']],
    ['browser.ssrfPolicy', ['allowedHostnames', 'allowRanges', 'dangerouslyAllowPrivateNetwork']],
  ],
  renamed: [
    ['gateway.nodes.browser.mode', 'browser.node.mode'],
    ['gateway.nodes.browser.node', 'browser.node.id'],
    ['tools.browser.models', 'browser.models'],
    ['tools.browser.visionEnabled', 'browser.visionEnabled'],
    ['tools.browser.visionPrompt', 'browser.visionPrompt'],
    ['browser.ssrfPolicy.allowPrivateNetwork', 'browser.ssrfPolicy.dangerouslyAllowPrivateNetwork'],
  ],
  migrations: [visionModels],
};
