import { loggedIn, organization, securable, wholeOrganization } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { featureOverrides } from './parts/features.ts';
import { id, linkFilters, organizationId, times } from '../resource/standard.ts';

export const integration = define({
  name: 'integration',
  description: 'A place in your product where securables are shown.',
  warns: { of: () => [] },
  fields: {
    id,
    name: field.multilingual('Name.', { searched: true }),
    slug: field.text('Short name in URLs.', {
      pattern: { expression: /^[a-zA-Z0-9-]{1,50}$/u, message: 'must be 1 to 50 letters, digits and dashes' },
    }),
    feature_overrides: featureOverrides(),
    organization_id: organizationId,
    ...times,
  },
  roles: {
    create: wholeOrganization('owner'),
    get: organization('member'),
    update: wholeOrganization('owner'),
    delete: wholeOrganization('owner'),
  },
  associations: {
    Securables: {
      to: 'securable',
      relation: { kind: 'inverse', of: 'Integrations' },
      roleHere: wholeOrganization('owner'),
      roleThere: securable('own'),
    },
    Users: {
      to: 'user',
      relation: { kind: 'link' },
      roleHere: wholeOrganization('owner'),
      roleThere: loggedIn,
      properties: linkFilters,
    },
  },
  example: { name: { en: 'Customer portal' }, slug: 'customer-portal' },
});
