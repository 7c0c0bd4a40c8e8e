/** Parameters of `device.*`: admitting devices and handling their tokens. */
import { z } from 'zod';
import { ROLES } from '../../protocol/client-info.ts';
import { noParams, text } from '../../protocol/fields.ts';

export const devicePairListParams = noParams;
export const devicePairInviteParams = noParams;
export const devicePairDecisionParams = z.strictObject({ requestId: text });
export const devicePairRemoveParams = z.strictObject({ deviceId: text });
export const deviceTokenRotateParams = z.strictObject({
  deviceId: text,
  role: z.enum(ROLES),
  scopes: z.array(text).optional(),
});
export const deviceTokenRevokeParams = z.strictObject({ deviceId: text, role: z.enum(ROLES) });
