import { isLanguage, isList, isObject, oneOf, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { field, type Fields } from '../../../declare/fields.ts';
import { warningMembers } from '../../../declare/warnings.ts';

const pushTypes = ['create', 'append', 'replace', 'upsert'] as const;
const maxRows = 10_000;

const kinds = ['numeric', 'integer', 'decimal', 'datetime', 'date', 'hierarchy', 'text', 'boolean'];

const thousands = ['.', ',', ' ', '\u00A0', '\u202F', "'", '\u2019'];

/** True if a value is a date pattern, with separators and an optional time of day. */
function isDatePattern(value: Json): boolean {
  if (typeof value !== 'string' || value.length > 40) return false;
  const [date = '', time] = value.split(/[ T](?=H)/u);
  const parts = date.split(/[./ -]/u);
  return (
    parts.length === 3 &&
    parts.every((part) => /^(?:yyyy|yy|MM?|dd?)$/u.test(part)) &&
    new Set(parts.map((part) => part[0])).size === parts.length &&
    (time === undefined || /^HH?:mm(?::ss)?$/u.test(time))
  );
}

const isName = (value: Json): boolean => typeof value === 'string' || isObject(value);

type Check = (value: Json, at: string, fault: Fault) => void;

const options: Readonly<Record<string, Check>> = {
  header: (value, at, fault) => {
    if (!isList(value))
      return typeof value === 'boolean' ? undefined : fault(at, 'must be true, false or a list of names');
    if (value.length === 0 || value.some((entry) => typeof entry !== 'string' || entry.trim() === ''))
      fault(at, 'must be a list of names of columns');
  },
  on_invalid: (value, at, fault) => {
    if (value !== 'null' && value !== 'refuse') fault(at, oneOf(['refuse', 'null'], value));
  },
  update_metadata: (value, at, fault) => {
    if (typeof value !== 'boolean') fault(at, 'must be true or false');
  },
  name: (value, at, fault) => {
    if (!isName(value)) return fault(at, 'must be a text or a language map');
    if (!isObject(value)) return;
    for (const [language, text] of Object.entries(value))
      if (!isLanguage(language) || typeof text !== 'string') fault(`${at}.${language}`, 'must be a text in a language');
  },
  key: (value, at, fault) => {
    if (!isList(value) || value.length === 0 || value.some((entry) => typeof entry !== 'string' || entry === ''))
      fault(at, 'must be a list of names of columns');
  },
  columns: (value, at, fault) => {
    if (!isObject(value)) return fault(at, 'must be an object {name of the column: type}');
    for (const [name, kind] of Object.entries(value))
      if (typeof kind !== 'string' || !kinds.includes(kind)) fault(`${at}.${name}`, oneOf(kinds, kind));
  },
  decimal: (value, at, fault) => {
    if (value !== '.' && value !== ',') fault(at, oneOf(['.', ','], value));
  },
  thousands: (value, at, fault) => {
    if (typeof value !== 'string' || !thousands.includes(value))
      fault(at, 'must be a point, a comma, a space (also one that does not break) or an apostrophe');
  },
  date_pattern: (value, at, fault) => {
    if (!isDatePattern(value))
      fault(
        at,
        'must have yyyy or yy, MM or M and dd or d once each, and may have H or HH with mm and ss: dd.MM.yyyy HH:mm',
      );
  },
  sheet: (value, at, fault) => {
    if (typeof value !== 'string' || value === '') fault(at, 'must be the name of a sheet');
  },
};

function checkOptions(value: Json, at: string, fault: Fault): void {
  if (!isObject(value)) return fault(at, 'must be an object');
  for (const [name, option] of Object.entries(value)) {
    if (!Object.hasOwn(options, name))
      fault(`${at}.${name}`, `is not known; known are: ${Object.keys(options).join(', ')}`);
    else if (option !== null) options[name]?.(option, `${at}.${name}`, fault);
  }
}

/** Returns the type of a push. By default, a push with a dataset id appends, and one without creates a dataset. */
export const pushTypeOf = ({ type = null, securable_id: id = null }: JsonObject): Json =>
  type ?? (id === null ? 'create' : 'append');

export const pushFields: Fields = {
  type: field.text(
    'Creates a dataset, appends rows, replaces all rows, or upserts rows by key. Default: `append` with `securable_id`, otherwise `create`.',
    {
      accept: ['create'],
      values: pushTypes,
    },
  ),
  securable_id: field.reference('The dataset; not with `create`. The caller needs *modify* on it.', {
    accept: ['create'],
    to: 'securable',
    targetOf: 'dataset',
  }),
  data: field.list('Rows, each a list of cells; at most 10,000.', {
    accept: ['create'],
    shape: { items: { type: 'array', items: {} }, maxItems: maxRows + 1 },
  }),
  options: field.object(
    '`header`: whether the first row has the names of columns, or the names as a list. `on_invalid`: `null` replaces cells that do not fit their column by null and counts them in `warnings`; otherwise the rows are refused. `name`: name of a new dataset. `key`: columns that identify a row, for `upsert`. `columns`: types by name, instead of detected types. `update_metadata`: columns are updated to match the rows. `sheet`: sheet of a workbook. `decimal`, `thousands`, `date_pattern`: how texts are written that are numbers and dates, such as `,`, `.` and `dd.MM.yyyy`, instead of detected forms.',
    { accept: ['create'], default: {}, check: checkOptions },
  ),
};

/** The answer to a push, in the shape of a search result. */
export const pushAnswer = {
  type: 'object',
  properties: {
    count: { const: 1 },
    rows: {
      type: 'array',
      description: 'The dataset that contains the rows.',
      items: { $ref: '#/components/schemas/Dataset' },
      minItems: 1,
      maxItems: 1,
    },
    ...warningMembers,
  },
  required: ['count', 'rows'],
} as const;

/** Returns the message for a push with too many rows; null if the number is within the limit. */
export const tooManyRows = (rows: number): string | null =>
  rows > maxRows ? `has ${rows} rows; at most ${maxRows} fit into one push. Upload a file instead.` : null;

/** Checks a push as a whole. An uploaded file takes the place of `data`. specification/resources#data */
export function checkPush(input: JsonObject, fault: Fault): void {
  const { securable_id = null, data = null, options: pushOptions } = input;
  const type = pushTypeOf(input);
  if (type === 'create' && securable_id !== null) fault('securable_id', 'is not part of type "create"');
  if (type !== 'create' && securable_id === null) fault('securable_id', 'is required');
  const key = pushOptions !== undefined && isObject(pushOptions) ? (pushOptions['key'] ?? null) : null;
  if (type === 'upsert' && key === null) fault('options.key', 'is required: the columns that tell rows apart');
  if (type !== 'upsert' && key !== null) fault('options.key', 'is part of type "upsert" alone');
  const { decimal = null, thousands: grouped = null } =
    pushOptions !== undefined && isObject(pushOptions) ? pushOptions : {};
  if (decimal !== null && grouped === decimal) fault('options.thousands', 'must differ from options.decimal');
  const header = pushOptions !== undefined && isObject(pushOptions) && pushOptions['header'] === true ? 1 : 0;
  const tooMany = data !== null && isList(data) ? tooManyRows(data.length - header) : null;
  if (tooMany !== null) fault('data', tooMany);
}
