import { isList, isObject, type Fault, type Feature, type Json, type JsonObject } from '@inlay/contract';
import { any, loggedIn, token } from '../declare/roles.ts';
import { languageTag } from './parts/language-tag.ts';
import { timeZone } from './parts/time-zone.ts';
import type { FeatureUse } from '../declare/declaration.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { checkGivenParameters } from '../data/row-filters/parameter-values.ts';
import { dataQuery, queryFilter } from './parts/data/shapes.ts';

/** Maximum pixels of a picture, at four bytes each. */
export const maxPixels = 64_000_000;

/** File types of an export, with their content types. */
export const exportTypes = {
  svg: 'image/svg+xml',
  png: 'image/png',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export const paperSizes = ['a4', 'a3', 'letter', 'fit'] as const;

const groups = ['and', 'or'] as const;

/** Checks a filter, or a list of filters under `and` or `or`, nested at most 8 levels deep. */
function checkFilter(value: Json, at: string, fault: Fault, depth = 0): void {
  const under = isObject(value) ? groups.find((name) => Object.hasOwn(value, name)) : undefined;
  if (isObject(value) && under !== undefined) {
    const operands = value[under] ?? null;
    if (!isList(operands) || operands.length > 200 || depth === 8)
      return fault(`${at}.${under}`, 'must be a list of filters');
    return operands.forEach((operand, index) => checkFilter(operand, `${at}.${under}[${index}]`, fault, depth + 1));
  }
  if (!isObject(value) || typeof value['expression'] !== 'string' || !isList(value['parameters']))
    fault(
      at,
      'must be a filter {expression, parameters: [{dataset_id, column_id}, value]}, or {and: […]} or {or: […]}',
    );
}

function checkFilters(value: Json, at: string, fault: Fault): void {
  if (!isList(value) || value.length > 200) return fault(at, 'must be a list of at most 200 filters');
  value.forEach((entry, index) => checkFilter(entry, `${at}[${index}]`, fault));
}

/** True if an export contains the rows of a query instead of a dashboard. */
export const asksForRows = (input: JsonObject): boolean => isObject(input['query']);

const checkParameters = (value: Json, at: string, fault: Fault): void => {
  if (isObject(value)) checkGivenParameters(value, at, fault);
};

const shortText: JsonObject = { type: 'string', maxLength: 255 };
const step: JsonObject = {
  title: 'DrillStep',
  type: 'object',
  properties: {
    item_id: shortText,
    column_id: shortText,
    level: { type: 'integer', minimum: 1, maximum: 100 },
    filter: queryFilter,
    text: { ...shortText, type: ['string', 'null'] },
  },
  required: ['item_id', 'column_id', 'level', 'filter'],
  additionalProperties: false,
};

const stepNames: readonly string[] = ['item_id', 'column_id', 'level', 'filter', 'text'];

function checkSteps(value: Json, at: string, fault: Fault): void {
  if (!isList(value) || value.length > 200) return fault(at, 'must be a list of at most 200 steps');
  value.forEach((step, index) => {
    const place = `${at}[${index}]`;
    if (!isObject(step)) return fault(place, 'must be a step {item_id, column_id, level, filter}');
    for (const name of Object.keys(step)) if (!stepNames.includes(name)) fault(`${place}.${name}`, 'is not known');
    for (const name of ['item_id', 'column_id', 'text']) {
      const text = step[name] ?? (name === 'text' ? '' : null);
      if (typeof text !== 'string' || text.length > 255) fault(`${place}.${name}`, 'must be a text of at most 255');
    }
    const level = step['level'] ?? null;
    if (typeof level !== 'number' || !Number.isInteger(level) || level < 1 || level > 100)
      fault(`${place}.level`, 'must be a whole number from 1 to 100');
    checkFilter(step['filter'] ?? null, `${place}.filter`, fault, 8);
  });
}

const lineTypes: readonly Json[] = ['csv', 'ndjson'];
const ofDashboards = ['item_id', 'theme', 'paper'];

/** Checks that an export has either a query or a dashboard, and validates the options for that kind. */
function checkExport(input: JsonObject, fault: Fault): void {
  const dashboard = input['dashboard_id'] ?? null;
  if (!asksForRows(input)) {
    if (dashboard === null) fault('dashboard_id', 'is required, or a query');
    if (input['type'] === 'ndjson') fault('type', 'ndjson holds the rows of a query');
    if (input['type'] !== 'pdf' && (input['paper'] ?? null) !== null) fault('paper', 'is about files of type pdf');
    return;
  }
  if (dashboard !== null) fault('query', 'does not go with a dashboard_id');
  if (!lineTypes.includes(input['type'] ?? null)) fault('type', 'must be csv or ndjson for the rows of a query');
  for (const name of ofDashboards) if ((input[name] ?? null) !== null) fault(name, 'is about dashboards');
  const filters = input['filters'] ?? null;
  if (isList(filters) && filters.length > 0) fault('filters', 'is about dashboards; a query has its own in `where`');
  const steps = input['steps'] ?? null;
  if (isList(steps) && steps.length > 0) fault('steps', 'is about dashboards');
  const parameters = input['parameters'] ?? null;
  if (isObject(parameters) && Object.keys(parameters).length > 0)
    fault('parameters', 'is about dashboards; a query has its own `parameters`');
}

const exportFeatures = {
  svg: 'export_svg',
  png: 'export_png',
  pdf: 'export_pdf',
  csv: 'export_csv',
  ndjson: 'export_ndjson',
  xlsx: 'export_xlsx',
} as const satisfies Readonly<Record<keyof typeof exportTypes, Feature>>;

const hasEntries = (value: Json | undefined): boolean =>
  isList(value ?? null) ? JSON.stringify(value) !== '[]' : isObject(value ?? null) && JSON.stringify(value) !== '{}';

const featuresOfExports: readonly FeatureUse[] = [
  ...Object.entries(exportFeatures).map(([type, feature]): FeatureUse => ({
    feature,
    on: ['create'],
    what: `of type \`${type}\``,
    when: (input) => input['type'] === type,
  })),
  { feature: 'view', on: ['create'], what: 'of a dashboard', when: (input) => !asksForRows(input) },
  { feature: 'drill', on: ['create'], what: 'with `steps`', when: ({ steps }) => hasEntries(steps) },
  {
    feature: 'edit_filters',
    on: ['create'],
    what: 'with `filters` or `parameters`',
    when: ({ filters, parameters }) => hasEntries(filters) || hasEntries(parameters),
  },
];

export const exported = define({
  name: 'export',
  description:
    'Exports a dashboard, one of its items, or all rows of a data query as a file, with the rights of the caller and the given filters.',
  fields: {
    type: field.text(
      'Type of the file; `csv` and `xlsx` contain the rows of one item, `csv` and `ndjson` those of a query.',
      {
        required: true,
        accept: ['create'],
        values: Object.keys(exportTypes),
      },
    ),
    query: field.object(
      'A data query, as in `find` of a get on data. All its rows are streamed. A member is written as its id; null is empty in CSV. The export is truncated at INLAY_EXPORT_ROWS rows, and then its last line is `{"truncated": true, "rows": N}`, or a text in the first column. A file that ends early is incomplete.',
      { accept: ['create'], shape: dataQuery },
    ),
    dashboard_id: field.reference('The dashboard; required without a query.', {
      accept: ['create'],
      to: 'securable',
      targetOf: 'dashboard',
      right: 'read',
    }),
    securable_id: field.uuid('Another name of `dashboard_id`.', { accept: ['create'], aliasOf: 'dashboard_id' }),
    chart_id: field.text('Another name of `item_id`.', { accept: ['create'], aliasOf: 'item_id', maxLength: 255 }),
    item_id: field.text('Only this item.', { accept: ['create'], maxLength: 255 }),
    filters: field.list(
      'Filters in addition to those of the dashboard; a filter does not apply to the item in its `properties.itemId`.',
      {
        accept: ['create'],
        default: [],
        shape: { items: queryFilter, maxItems: 200 },
        check: checkFilters,
      },
    ),
    parameters: field.object(
      'Values of parameters by name, as in `parameters` of a data query: what a viewer set in controls of the dashboard.',
      { accept: ['create'], default: {}, check: checkParameters },
    ),
    steps: field.list(
      'Drill-down steps of a viewer, in order: `{item_id, column_id, level, filter}`. `filter` applies to that item only; `text` is appended to its title.',
      { accept: ['create'], default: [], shape: { items: step, maxItems: 200 }, check: checkSteps },
    ),
    patterns: field.boolean('Whether marks have patterns in addition to colours.', { accept: ['create'] }),
    screen_mode: field.text('The view to render.', {
      accept: ['create'],
      default: 'desktop',
      values: ['desktop', 'tablet', 'mobile'],
    }),
    width: field.number('Width of the drawing, in px.', {
      accept: ['create'],
      default: 1200,
      whole: true,
      minimum: 200,
      maximum: 4000,
    }),
    scale: field.number(
      `Pixels of a PNG for one px of the drawing; a picture of more than ${maxPixels / 1_000_000} million pixels is refused.`,
      {
        accept: ['create'],
        default: 2,
        whole: true,
        minimum: 1,
        maximum: 4,
      },
    ),
    paper: field.text(
      'Paper of a PDF: its items are divided over pages with a heading, the filters that a viewer set and page numbers, and tables are continued on pages of their own; `fit` is one page as large as the drawing. By default `a4`, and `fit` for one item that is no table.',
      { accept: ['create'], values: paperSizes },
    ),
    orientation: field.text('How the paper of a PDF lies.', {
      accept: ['create'],
      default: 'portrait',
      values: ['portrait', 'landscape'],
    }),
    theme: field.object('A theme that overrides the theme of the dashboard; `{id}` for a built-in one.', {
      accept: ['create'],
    }),
    locale_id: field.text('Language of names, numbers and dates.', {
      accept: ['create'],
      maxLength: 35,
      check: languageTag,
    }),
    timezone_id: field.text('IANA time zone; by default that of the dashboard.', {
      accept: ['create'],
      maxLength: 64,
      check: timeZone,
    }),
  },
  roles: { create: any(loggedIn, token('embed')) },
  features: featuresOfExports,
  served: {
    create: {
      check: checkExport,
      // A client waits for a drawing as long as for a query. If a task answers later, every export has the time limit
      // of row exports.
      lasts: asksForRows,
      mayBeLater: true,
      answers: { type: 'string', description: 'The file.' },
      types: Object.values(exportTypes),
    },
  },
  example: { type: 'pdf', dashboard_id: '01890a5d-ac96-774b-bcce-b302099a8057', locale_id: 'fr' },
});
