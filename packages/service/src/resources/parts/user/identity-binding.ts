import { createHash } from 'node:crypto';

/** What no two identities share: the organization, the issuer and the subject, each letter by letter. */
export const bindingOf = (organizationId: string, issuer: string, subject: string): string =>
  createHash('sha256')
    .update(JSON.stringify([organizationId, issuer, subject]))
    .digest('base64url');
