import { createHash } from 'node:crypto';

/** Returns the unique key of an identity: organization, issuer and subject, compared exactly. */
export const bindingOf = (organizationId: string, issuer: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([organizationId, issuer, subject]))
    .digest('base64url');
