import {
  emptyListAsObject,
  isLanguage,
  isList,
  isObject,
  isUuid,
  languagesMax,
  parseTimestamp,
  type Fault,
  type Json,
  type JsonObject,
} from '@inlay/contract';

/** JSON scalar type of a kind, which determines how a store reads and compares its values. */
export type Holds = 'text' | 'number' | 'boolean';

/** Rules of a kind of field: input check, JSON schema, and comparison in the stores. */
interface KindOf {
  /** Checks a non-null value and returns its stored form; reports every fault. */
  readonly check: (value: Json, at: string, fault: Fault) => Json;
  readonly schema: JsonObject;
  /** How searches compare values; null if searches support only `isNull`. */
  readonly holds: Holds | null;
  readonly label: string;
}

const checkText =
  (limit: number) =>
  (value: Json, at: string, fault: Fault): Json => {
    if (typeof value !== 'string') fault(at, 'must be a text');
    else if (value.length > limit) fault(at, `must have at most ${limit} characters`);
    return value;
  };

function checkUuid(value: Json, at: string, fault: Fault): Json {
  if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
  fault(at, 'must be a UUID');
  return value;
}

function checkTimestamp(value: Json, at: string, fault: Fault): Json {
  const read = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (read === undefined) fault(at, 'must be an ISO 8601 time with a zone, such as "2026-01-31T09:30:00.000Z"');
  return read ?? value;
}

function checkMultilingual(value: Json, at: string, fault: Fault): Json {
  if (!isObject(value)) {
    fault(at, 'must be an object of language codes and texts, such as {"en": "Sales"}');
    return value;
  }
  const languages = Object.entries(value);
  if (languages.length > languagesMax) fault(at, `must have at most ${languagesMax} languages`);
  for (const [code, words] of languages.slice(0, languagesMax)) {
    if (!isLanguage(code)) fault(`${at}.${code}`, 'is not a language code such as "en" or "nl-BE"');
    if (typeof words !== 'string') fault(`${at}.${code}`, 'must be a text');
    else if (words.length > 10_000) fault(`${at}.${code}`, 'must have at most 10000 characters');
  }
  return value;
}

/** Maximum number of texts in a language of a multilingual list, and of characters of each. */
const listLimits = { texts: 20, characters: 100 } as const;

function checkMultilingualList(value: Json, at: string, fault: Fault): Json {
  if (!isObject(value)) {
    fault(at, 'must be an object of language codes and lists of texts, such as {"en": ["Turnover"]}');
    return value;
  }
  const languages = Object.entries(value);
  if (languages.length > languagesMax) fault(at, `must have at most ${languagesMax} languages`);
  for (const [code, texts] of languages.slice(0, languagesMax)) {
    const place = `${at}.${code}`;
    if (!isLanguage(code)) fault(place, 'is not a language code such as "en" or "nl-BE"');
    if (!isList(texts)) {
      fault(place, 'must be a list of texts');
      continue;
    }
    if (texts.length > listLimits.texts) fault(place, `must have at most ${listLimits.texts} texts`);
    texts.slice(0, listLimits.texts).forEach((text, index) => {
      if (typeof text !== 'string') fault(`${place}[${index}]`, 'must be a text');
      else if (text.length > listLimits.characters)
        fault(`${place}[${index}]`, `must have at most ${listLimits.characters} characters`);
    });
  }
  return value;
}

const uuidSchema = { type: 'string', format: 'uuid' } as const;

/** Every kind of field. */
export const kinds = {
  uuid: { check: checkUuid, schema: uuidSchema, holds: 'text', label: 'UUID' },
  reference: { check: checkUuid, schema: uuidSchema, holds: 'text', label: 'UUID of another record' },
  text: { check: checkText(Infinity), schema: { type: 'string' }, holds: 'text', label: 'STRING' },
  secret: { check: checkText(10_000), schema: { type: 'string' }, holds: null, label: 'STRING, write-only' },
  sealed: {
    check: (value, at, fault) => {
      const objectValue = emptyListAsObject(value);
      if (!isObject(objectValue)) fault(at, 'must be an object');
      return objectValue;
    },
    schema: { anyOf: [{ type: 'object', additionalProperties: true }, { const: '********' }] },
    holds: null,
    label: 'OBJECT, write-only',
  },
  boolean: {
    check: (value, at, fault) => {
      if (typeof value !== 'boolean') fault(at, 'must be true or false');
      return value;
    },
    schema: { type: 'boolean' },
    holds: 'boolean',
    label: 'BOOLEAN',
  },
  number: {
    check: (value, at, fault) => {
      if (typeof value !== 'number') fault(at, 'must be a number');
      return value;
    },
    schema: { type: 'number' },
    holds: 'number',
    label: 'NUMBER',
  },
  timestamp: {
    check: checkTimestamp,
    schema: { type: 'string', format: 'date-time' },
    holds: 'text',
    label: 'DATETIME',
  },
  multilingual: {
    check: checkMultilingual,
    schema: { title: 'LanguageMap', type: 'object', additionalProperties: { type: 'string' } },
    holds: 'text',
    label: 'Multilingual string',
  },
  multilingualList: {
    check: checkMultilingualList,
    schema: {
      title: 'LanguageLists',
      type: 'object',
      additionalProperties: {
        type: 'array',
        items: { type: 'string', maxLength: listLimits.characters },
        maxItems: listLimits.texts,
      },
    },
    holds: null,
    label: 'OBJECT of language codes and ARRAYS of STRING',
  },
  object: {
    check: (value, at, fault) => {
      if (!isObject(value)) fault(at, 'must be an object');
      return value;
    },
    schema: { type: 'object', additionalProperties: true },
    holds: null,
    label: 'OBJECT',
  },
  list: {
    check: (value, at, fault) => {
      if (!isList(value)) fault(at, 'must be a list');
      return value;
    },
    schema: { type: 'array', items: {} },
    holds: null,
    label: 'ARRAY',
  },
} as const satisfies Readonly<Record<string, KindOf>>;

export type Kind = keyof typeof kinds;
