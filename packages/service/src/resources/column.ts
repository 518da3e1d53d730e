import { all, allRows, securable, securableOf, shown } from '../declare/roles.ts';
import { checkExpression } from './parts/securable/expression-check.ts';
import { define } from '../resource/define.ts';
import { warnOfFormat } from './parts/display-format.ts';
import { field, readOnly } from '../declare/fields.ts';
import { createdBy, creatorField, noteCreator, orCreator, id, organizationId, times } from '../resource/standard.ts';
import { columnMeaning } from './parts/securable/filtered-meaning.ts';
import { doubtsLookup, mayChangeLookup, rememberLookup } from './parts/securable/lookup-links.ts';

const modifier = orCreator(securable('modify', 'securable_id'), 'securable_id');
const valuesOfRows = all(modifier, allRows('securable_id'));
const subtypes = [
  'topography',
  'coordinates',
  'currency',
  'duration',
  'date',
  'datetime',
  'ip_address',
  'interval',
] as const;
const aggregations = [
  'sum',
  'cumulativesum',
  'average',
  'median',
  'min',
  'max',
  'stddev',
  'rate',
  'count',
  'distinctcount',
] as const;
const level = { whole: true, minimum: 1, maximum: 20 } as const;

export const column = define({
  name: 'column',
  validates: true,
  description: 'A column of a dataset.',
  fields: {
    id,
    securable_id: field.reference('The dataset; it is named here or by associating the column.', {
      accept: ['create'],
      to: 'securable',
      targetOf: 'dataset',
      onDelete: 'delete',
    }),
    type: field.text('Type of its values.', {
      required: true,
      values: ['numeric', 'datetime', 'hierarchy', 'spatial'],
      column: true,
    }),
    subtype: field.text('Meaning of its values.', { values: subtypes }),
    informat: field.text('Format used by the source.', { maxLength: 255 }),
    format: field.text('Display format, as a d3 pattern.', { maxLength: 255, warns: warnOfFormat }),
    order: field.number('Position in the dataset, from 0.', { default: 0, whole: true, minimum: 0, maximum: 100_000 }),
    source_name: field.text('Name at the source; cannot be changed.', { accept: ['create'], maxLength: 2000 }),
    name: field.multilingual('Name.', { searched: true }),
    description: field.multilingual('Description.', { searched: true }),
    synonyms: field.multilingualList('Other names, by which questions and key phrases find the column too.', {
      searched: 'always',
    }),
    expression: field.text('Formula of a derived column.', { maxLength: 10_000 }),
    aggregation_type: field.text('How its values are aggregated.', { default: 'sum', values: aggregations }),
    hierarchy_enabled: field.boolean('Whether its values are shown by level.'),
    source_order: field.number('Position at the source, from 0.', { whole: true, minimum: 0, maximum: 100_000 }),
    hidden: field.boolean('Hidden in user interfaces.'),
    color: field.text('Colour.', { maxLength: 80 }),
    currency_id: field.text('ISO 4217 currency code.', {
      pattern: { expression: /^[A-Z]{3}$/u, message: 'must be a currency code such as "EUR"' },
    }),
    lowestLevel: field.number('Finest level shown.', level),
    highestLevel: field.number('Coarsest level shown.', level),
    cardinality: field.number('About how many distinct values there are: an estimate.', {
      minimum: 0,
      shownTo: allRows('securable_id'),
    }),
    // These are statistics of row values. A right on the dataset alone does not reveal them, since row filters may hide
    // rows.
    minimum: field.text('Smallest value.', { maxLength: 1000, shownTo: valuesOfRows }),
    maximum: field.text('Largest value.', { maxLength: 1000, shownTo: valuesOfRows }),
    kept: readOnly(field.text('Storage type at the source; if null, it is derived from the type.', { hidden: true })),
    organization_id: { ...organizationId, hidden: true },
    ...creatorField,
    ...times,
  },
  roles: {
    create: createdBy(securable('modify', 'securable_id'), 'securable_id'),
    get: orCreator(all(securable('read', 'securable_id'), shown), 'securable_id'),
    update: modifier,
    delete: modifier,
  },
  warns: { of: () => [] },
  features: [
    {
      feature: 'formulas',
      on: ['create', 'update'],
      what: 'with an `expression`',
      when: ({ expression }) => expression !== undefined,
    },
  ],
  draftWithout: 'securable_id',
  rules: [columnMeaning, noteCreator('securable_id'), checkExpression],
  associations: {
    Joins: {
      to: 'column',
      relation: { kind: 'link' },
      roleHere: modifier,
      roleThere: modifier,
      properties: {
        type: field.text('How the rows are matched.', { default: 'lookup', values: ['lookup', 'exact'] }),
        optional: field.boolean(
          'Of a lookup: a row without a value is not hidden by row filters on this path, provided that another path from its dataset leads to the filtered dataset and shows the row.',
        ),
      },
      mayChange: mayChangeLookup,
      linked: rememberLookup,
      doubts: doubtsLookup,
    },
    Hierarchylevels: {
      to: 'hierarchylevel',
      relation: { kind: 'referenced', by: 'column_id', onDissociate: 'delete' },
      roleHere: modifier,
      roleThere: orCreator(securableOf('modify', 'column', 'column_id'), 'column_id'),
    },
    Securable: {
      to: 'securable',
      relation: { kind: 'reference', field: 'securable_id', fixed: true },
      roleHere: modifier,
      roleThere: securable('modify'),
    },
  },
  example: {
    securable_id: '01890a5d-ac96-774b-bcce-b302099a8057',
    type: 'numeric',
    name: { en: 'Revenue' },
    format: ',.2f',
  },
});
