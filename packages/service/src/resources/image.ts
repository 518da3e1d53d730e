import { any, loggedIn, organization, self, wholeOrganization } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';

const maker = any(self('user_id'), wholeOrganization('owner'));
const signatures: Readonly<Record<string, string>> = {
  iVBORw0KGgo: 'image/png',
  '/9j/': 'image/jpeg',
  UklGR: 'image/webp',
  R0lGOD: 'image/gif',
};

export const image = define({
  name: 'image',
  source: 'decision R4: Thumbnail',
  sentence: 'A small picture, such as the thumbnail of a plugin.',
  fields: {
    id,
    name: field.text('Name.', { searched: true, maxLength: 1000 }),
    media_type: field.text('Media type.', {
      required: true,
      words: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    }),
    data: field.text('The picture in base64, at most 512 KB.', {
      required: true,
      maxLength: 700_000,
      check: (value, at, fault) => {
        if (typeof value !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/u.test(value)) return fault(at, 'must be base64');
        if (!Object.keys(signatures).some((start) => value.startsWith(start)))
          fault(at, 'must be a PNG, JPEG, WebP or GIF picture');
      },
    }),
    organization_id: organizationId,
    user_id: readOnly(field.reference('Its maker.', { made: 'caller', to: 'user' })),
    ...times,
  },
  roles: { create: loggedIn, get: organization('member'), update: maker, delete: maker },
  example: {
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
});
