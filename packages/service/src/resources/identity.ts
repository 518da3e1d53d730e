import { inWords } from '@inlay/contract';
import { all, operator, organization, suborganizationOf, wholeOrganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field, readOnly } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { bindingOf } from './parts/user/identity-binding.ts';
import { identityWithinRank } from './parts/user/within-rank.ts';

const ofTheOrganization: Rule = {
  name: 'person-of-the-organization',
  on: ['create'],
  description:
    'An identity belongs to a person of the same organization; an issuer and subject belong to one person in it.',
  run: async ({ after, caller }, work) => {
    const person = await work.record('user', inWords(after['user_id']));
    if (caller === null || person?.['organization_id'] !== caller.organizationId) {
      throw new Problem('reference_unknown', {
        validation: { 'properties.user_id': ['there is no such user, or you may not see it'] },
      });
    }
    const binding = bindingOf(caller.organizationId, inWords(after['issuer']), inWords(after['subject']));
    return { hidden: { binding } };
  },
};

export const identity = define({
  name: 'identity',
  description:
    'The identity of a person at the identity provider of their organization, by issuer and subject. Created by the first sign-in, or by an owner for an existing user.',
  fields: {
    id,
    user_id: field.reference('The person.', { to: 'user', onDelete: 'delete', required: true, accept: ['create'] }),
    issuer: field.text('The issuer, exactly as the provider names it.', {
      required: true,
      accept: ['create'],
      maxLength: 4000,
    }),
    subject: field.text('The person at the provider: the claim `sub`.', {
      required: true,
      accept: ['create'],
      maxLength: 255,
    }),
    organization_id: organizationId,
    ...times,
    binding: readOnly(
      field.text('Organization, issuer and subject as one text.', { hidden: true, column: true, unique: true }),
    ),
  },
  roles: {
    // Identities affect the whole organization, since the claims of a subject determine ranks.
    // specification/resources#identity
    create: wholeOrganization('owner'),
    // Owners see only the identities of people in their suborganization.
    get: all(organization('owner'), suborganizationOf('user', 'user_id')),
    update: operator,
    delete: organization('owner'),
  },
  rules: [ofTheOrganization, identityWithinRank],
  example: {
    user_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    issuer: 'https://login.example.com',
    subject: '248289761001',
  },
});
