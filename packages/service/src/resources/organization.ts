import { isColor } from '@inlay/contract';
import {
  all,
  any,
  loggedIn,
  operator,
  organization as rank,
  self,
  suborganization,
  wholeOrganization,
} from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { id, times } from '../resource/standard.ts';
import { featureOverrides } from './parts/features.ts';
import { countryId, localeId } from './parts/iso-codes.ts';

const line = (sentence: string): ReturnType<typeof field.text> => field.text(sentence, { maxLength: 1000 });
const color = (sentence: string): ReturnType<typeof field.text> =>
  field.text(sentence, {
    check: (value, at, fault) =>
      typeof value === 'string' && !isColor(value) ? fault(at, 'must be a CSS colour') : undefined,
  });
const flag = field.boolean;

export const organization = define({
  name: 'organization',
  warns: { of: () => [] },
  description: 'A tenant. Organizations cannot see each other’s data.',
  fields: {
    id,
    name: field.multilingual('Name.', { searched: true }),
    payment_method: line('Payment method.'),
    address_line_1: line('Address.'),
    address_line_2: line('Address, second line.'),
    zipcode: line('Postal code.'),
    state: line('State.'),
    city: line('City.'),
    vat: line('VAT number.'),
    legal_name: line('Legal name.'),
    dpo_name: line('Data protection officer.'),
    dpo_address_line_1: line('Address of the data protection officer.'),
    dpo_address_line_2: line('Address of the data protection officer, second line.'),
    dpo_email: line('E-mail of the data protection officer.'),
    dpo_phone: line('Telephone of the data protection officer.'),
    dpa_signed_by: line('Who signed the data processing agreement.'),
    dpa_signed_on: line('When it was signed.'),
    dpa_text: field.text('The data processing agreement.', { maxLength: 100_000 }),
    main_color: color('Main colour.'),
    accent_color: color('Accent colour.'),
    from_email: line('Sender of e-mails.'),
    subdomain: field.text('Unique subdomain. It names the organization in the URL of its sign-in.', {
      column: true,
      unique: true,
      pattern: { expression: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/u, message: 'must be a host name label' },
    }),
    flag_allow_viewers: flag('Whether viewers may be invited.'),
    flag_publish: flag('Whether dashboards may be published.'),
    flag_whitelabeling: flag('Whether the product shows no name of its own.'),
    flag_experimental_ai: flag('Whether AI charts are on.'),
    feature_overrides: featureOverrides(),
    require_row_filters: flag(
      'Whether embed tokens are refused that may read a dataset which no row filter reaches, unless it is shared_across_tenants.',
    ),
    ...times,
    country_id: countryId(),
    theme_id: field.reference('Default theme.', { to: 'theme' }),
    locale_id: localeId(),
  },
  roles: { create: operator, get: rank('member'), update: wholeOrganization('owner'), delete: operator },
  associations: {
    Users: {
      to: 'user',
      relation: { kind: 'link' },
      roleHere: rank('owner'),
      roleThere: loggedIn,
      levels: {
        flags: { flagMember: 1, flagEditor: 2, flagOwner: 3, flagOwn: 3, flagAdmin: 4 },
        default: 1,
        keep: 3,
        withinRank: true,
      },
    },
    DefaultTheme: {
      to: 'theme',
      relation: { kind: 'reference', field: 'theme_id' },
      roleHere: wholeOrganization('owner'),
      roleThere: wholeOrganization('owner'),
    },
    Themes: {
      to: 'theme',
      relation: { kind: 'referenced', by: 'organization_id', onDissociate: 'refuse' },
      roleHere: wholeOrganization('owner'),
      roleThere: wholeOrganization('owner'),
    },
    Plugins: {
      to: 'plugin',
      relation: { kind: 'inverse', of: 'Organization' },
      roleHere: rank('member'),
      roleThere: any(self('user_id'), wholeOrganization('owner')),
    },
  },
  example: { flag_experimental_ai: true },
});

/**
 * Callers who can see a person or group: members of its organization and suborganization.
 * specification/rights#suborganizations
 */
export const colleague = all(rank('member'), suborganization);
