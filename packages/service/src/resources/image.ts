import { any, loggedIn, organization, self, wholeOrganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const maker = any(self('user_id'), wholeOrganization('owner'));
/** Signatures of image files, in hexadecimal. */
const signatures = [
  ['image/png', /^89504e470d0a1a0a/u],
  ['image/jpeg', /^ffd8ff/u],
  ['image/webp', /^52494646.{8}57454250/u],
  ['image/gif', /^47494638(?:37|39)61/u],
] as const;

/** Detects the media type of an image in base64 by its signature; undefined if it is not supported. */
function toldType(data: string): string | undefined {
  const start = Buffer.from(data.slice(0, 16), 'base64').toString('hex');
  return signatures.find(([, signature]) => signature.test(start))?.[0];
}

const typeOfData: Rule = {
  name: 'type-of-data',
  on: ['create', 'update'],
  description: 'media_type is detected from the first bytes of data.',
  run: async ({ sent, after: { media_type, data } }) => {
    if (sent['media_type'] === undefined && sent['data'] === undefined) return undefined;
    const mediaType = typeof data === 'string' ? toldType(data) : undefined;
    if (mediaType === undefined || mediaType === media_type) return undefined;
    throw new Problem('validation_failed', {
      validation: { 'properties.media_type': [`must be ${mediaType}, which is what data holds`] },
    });
  },
};

export const image = define({
  name: 'image',
  description: 'A small picture, such as the thumbnail of a plugin.',
  fields: {
    id,
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    media_type: field.text('Media type.', {
      required: true,
      values: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    }),
    data: field.text('The picture in base64, at most 512 KB.', {
      required: true,
      maxLength: 700_000,
      check: (value, at, fault) => {
        if (typeof value !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/u.test(value))
          return fault(at, 'must be base64, without a prefix such as "data:image/png;base64,"');
        if (toldType(value) === undefined) fault(at, 'must be a PNG, JPEG, WebP or GIF picture');
      },
    }),
    organization_id: organizationId,
    user_id: readOnly(field.reference('Its maker.', { generated: 'caller', to: 'user' })),
    ...times,
  },
  rules: [typeOfData],
  roles: { create: loggedIn, get: organization('member'), update: maker, delete: maker },
  example: {
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
});
