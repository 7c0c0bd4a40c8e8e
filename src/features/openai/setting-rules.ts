/** What is known of the settings of these endpoints beside their schema. */
import type { Restriction, SettingRules } from '../../config/setting-rules.ts';

const unread: readonly Restriction[] = ['chatCompletions', 'responses'].flatMap((name) =>
  ['images', 'files'].flatMap((kind): readonly Restriction[] => [
    {
      at: `gateway.http.endpoints.${name}.${kind}.allowUrl`,
      limits: 'which addresses are fetched',
      fix: 'Use `security.fetch`, and remove it.',
      harmless: (value) => value === undefined || value === true,
    },
    {
      at: `gateway.http.endpoints.${name}.${kind}.urlAllowlist`,
      limits: 'which addresses are fetched',
      fix: 'Use `security.fetch`, and remove it.',
    },
  ]),
);

export const openAiRules: SettingRules = {
  withinOwn: ['files', 'images', 'maxBodyBytes', 'maxImageParts', 'maxTotalImageBytes', 'maxUrlParts'].map(
    (name) => `gateway.http.endpoints.*.${name}`,
  ),
  unread,
};
