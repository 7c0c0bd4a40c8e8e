/** Where the large mail providers exchange refresh tokens. Pure: also settings are reviewed with it. */
import type { EmailConfig } from './config.ts';

const SERVICES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\.)(?:gmail|googlemail)\.com$/i, 'https://oauth2.googleapis.com/token'],
  [/(?:^|\.)(?:office365|outlook)\.com$/i, 'https://login.microsoftonline.com/common/oauth2/v2.0/token'],
];

export const tokenUrlOf = ({ tokenUrl, imapHost }: Pick<EmailConfig, 'tokenUrl' | 'imapHost'>): string | undefined =>
  tokenUrl ?? SERVICES.find(([host]) => host.test(imapHost))?.[1];
