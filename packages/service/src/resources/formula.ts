import { securable } from '../declare/roles.ts';
import { filled } from './parts/filled.ts';
import { checkExpression } from './parts/securable/expression-check.ts';
import { define } from '../resource/define.ts';
import { warnOfFormat } from './parts/display-format.ts';
import { field } from '../declare/fields.ts';
import { createdBy, creatorField, noteCreator, orCreator, id, organizationId, times } from '../resource/standard.ts';

const modifier = orCreator(securable('modify', 'securable_id'), 'securable_id');

export const formula = define({
  name: 'formula',
  validates: true,
  description: 'A formula of a dataset; queries use it as a measure.',
  fields: {
    id,
    securable_id: field.reference('The dataset; it is named here or by associating the formula.', {
      accept: ['create'],
      to: 'securable',
      targetOf: 'dataset',
      onDelete: 'delete',
    }),
    name: field.multilingual('Name.', { searched: true }),
    expression: field.text('The formula, with the ids of columns in braces, such as `sum({…}) / count(*)`.', {
      required: true,
      maxLength: 10_000,
      check: filled,
    }),
    type: field.text('Type of its values.', { default: 'numeric', values: ['numeric', 'datetime', 'hierarchy'] }),
    format: field.text('Display format, as a d3 pattern.', { maxLength: 255, warns: warnOfFormat }),
    organization_id: { ...organizationId, hidden: true },
    ...creatorField,
    ...times,
  },
  roles: {
    create: createdBy(securable('modify', 'securable_id'), 'securable_id'),
    get: orCreator(securable('read', 'securable_id'), 'securable_id'),
    update: modifier,
    delete: modifier,
  },
  warns: { of: () => [] },
  features: [{ feature: 'formulas', on: ['create', 'update', 'delete', 'associate', 'dissociate'] }],
  draftWithout: 'securable_id',
  rules: [noteCreator('securable_id'), checkExpression],
  associations: {
    Securable: {
      to: 'securable',
      relation: { kind: 'reference', field: 'securable_id', fixed: true },
      roleHere: modifier,
      roleThere: securable('modify'),
    },
  },
  example: {
    securable_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    name: { en: 'Revenue per order' },
    expression: 'sum({01890a5d-ac96-774b-bcce-b302099a8058}) / count(*)',
  },
});
