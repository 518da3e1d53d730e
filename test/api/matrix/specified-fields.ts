import { isList, isObject, isUuid, parseTimestamp } from '@inlay/contract';
import type { Kind } from './bodies.ts';

/** The types of the specified tables of fields. Every field may be null: "Unset values are returned as null." */
const types = {
  uuid: (value: unknown) => typeof value === 'string' && isUuid(value),
  text: (value: unknown) => typeof value === 'string',
  number: (value: unknown) => typeof value === 'number',
  flag: (value: unknown) => typeof value === 'boolean',
  date: (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== undefined && value.endsWith('Z'),
  words: (value: unknown) => isObject(value) && Object.values(value).every((word) => typeof word === 'string'),
  object: (value: unknown) => isObject(value),
  list: (value: unknown) => isList(value),
} as const;
export type FieldType = keyof typeof types;

/** True if a value is null or of the documented type. */
export const isOfType = (type: FieldType, value: unknown): boolean => value === null || types[type](value);

/** Field names by type, as the specified table of a resource lists them. */
export type FieldTable = Partial<Record<FieldType, string>>;

const account: FieldTable = {
  uuid: 'id user_id plugin_id shareable_id',
  text: 'provider name scope host port identifier token code version',
  words: 'description',
  date: 'date expiry created_at updated_at',
  flag: 'active invalid synced datasets_meta_sync_enabled',
  number: 'cache datasets_meta_sync_interval',
  object: 'properties',
};

const securable: FieldTable = {
  uuid: 'id acceleration_id account_id template_id original_id source_template_id modifier_id owner_id',
  text: 'type subtype css source_dataset source_sheet source_query transformation storage',
  words: 'name description subtitle',
  object: 'contents',
  number: 'rows cache meta_sync_interval migrated_rows',
  flag: 'featured is_variant uses_columnar_experimental meta_sync_inherit meta_sync_enabled',
  date: 'last_metadata_sync_at last_metadata_sync_attempt_at modified_at created_at updated_at',
};

const ssoconfig: FieldTable = {
  uuid: 'id organization_id',
  text: 'protocol',
  object: 'config',
  flag: 'is_verified disable_email_password',
  date: 'created_at updated_at',
};

const theme: FieldTable = {
  uuid: 'id organization_id',
  words: 'name',
  object: 'theme',
  date: 'created_at updated_at deleted_at',
};

/** Further fields: `secret`, `protocol_version`, `pushdown` and `properties`, whose values are our own, and the capabilities that clients send. */
const plugin: FieldTable = {
  uuid: 'id',
  text: 'slug url license base_url authorize color',
  words: 'name description',
  flag: 'tiles search public reviewed',
  object: 'organization',
};

/** Every specified record, with the fields that its table lists and those that we add to it. */
export const recordFields: Partial<Record<Kind, { readonly documented: FieldTable; readonly added: string }>> = {
  account: { documented: account, added: 'user_may_write' },
  dataset: {
    documented: securable,
    added: 'shared_across_tenants empty_values slug options derived suborganization username',
  },
  dashboard: {
    documented: securable,
    added: 'shared_across_tenants empty_values slug options derived suborganization username',
  },
  ssoconfig: { documented: ssoconfig, added: '' },
  theme: { documented: theme, added: '' },
  plugin: {
    documented: plugin,
    added:
      'secret protocol_version pushdown properties supports_like supports_distinctcount supports_order_limit supports_join supports_sql supports_nested_filters',
  },
};

/** The embedded organization object of a plugin. */
export const embeddedOrganization: FieldTable = {
  uuid: 'id country_id theme_id locale_id',
  words: 'name',
  text:
    'payment_method address_line_1 address_line_2 zipcode state city vat legal_name dpo_name dpo_address_line_1 ' +
    'dpo_address_line_2 dpo_email dpo_phone dpa_signed_by dpa_signed_on dpa_text main_color accent_color from_email subdomain',
  flag: 'flag_allow_viewers flag_publish flag_whitelabeling',
  date: 'created_at updated_at',
};

/** The `contents` of a dashboard that was made without any. */
export const contentsFields: FieldTable = {
  text: 'version',
  flag: 'syncScreenModes',
  object: 'datasetLinks timezone',
  list: 'views parameters',
};

export const viewFields: FieldTable = { text: 'screenModus', object: 'options', list: 'filterGroups items' };

/** The AI chart result; `question` and the example questions are ours. */
export const aiChartFields: FieldTable = { object: 'generatedChart functionResponse', text: 'question functionCall' };

/** The generated chart of an AI chart result. */
export const generatedChartFields: FieldTable = {
  text: 'type',
  object: 'position title options content',
  list: 'slots',
  uuid: 'aichartId',
};

/** Returns every field of a table with its type. */
export const fieldsOf = (table: FieldTable): readonly (readonly [name: string, type: FieldType])[] =>
  (['uuid', 'text', 'number', 'flag', 'date', 'words', 'object', 'list'] as const).flatMap((type) =>
    (table[type] ?? '')
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, type] as const),
  );
