/** The pairing texts people receive. Short and plain: they may not know what this bot is. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { PRODUCT_LABEL } from '../../core/product.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';
import type { ChannelRequest } from './pairing-store.ts';

/** Naming the request makes it sent once, however often they write. */
export const pairingToken = ({ channel, accountId, id, code }: ChannelRequest): string =>
  `pairing:${channel}:${accountId ?? ''}:${id}:${code}`;

export const pairingText = (
  { channel, id, code }: ChannelRequest,
  plugin: Pick<ChannelPlugin, 'label' | 'senderIdLabel'>,
): string =>
  [
    `${PRODUCT_LABEL} does not know you yet, so it does not answer.`,
    '',
    `Your ${plugin.senderIdLabel ?? `${plugin.label} id`}: ${id}`,
    `Pairing code: ${code}`,
    '',
    'Ask the owner to approve you with:',
    `${PUBLIC_COMMAND} pairing approve ${channel} ${code}`,
    'The code expires in one hour.',
  ].join('\n');

export const pairedToken = ({ channel, id, code }: ChannelRequest): string => `paired:${channel}:${id}:${code}`;

export const PAIRED_TEXT = `You are approved: ${PRODUCT_LABEL} answers you here from now on.`;
