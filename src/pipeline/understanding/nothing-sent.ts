/** The decisions about a message that came without files: they are recorded all the same. Pure. */
import type { MediaConfig } from '../../config/understanding-config.ts';
import { MEDIA_CAPABILITIES, type MediaDecision } from '../../core/understanding.ts';

export function nothingSent(config: MediaConfig): readonly MediaDecision[] {
  const decision = (capability: MediaDecision['capability'], enabled: boolean | undefined): MediaDecision => ({
    capability,
    outcome: enabled === false ? 'disabled' : 'no-attachment',
    attachments: [],
  });
  return [
    ...MEDIA_CAPABILITIES.map((capability) => decision(capability, config[capability].enabled)),
    decision('file', config.files.enabled),
  ];
}
