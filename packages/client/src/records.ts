// Written by `npm run docs` from the declarations of the resources.
import type { Json, JsonObject } from '@inlay/contract';

/**
 * By resource: a record, the properties that a create and an update take, the record that a create returns, and the
 * explanation of access to a record.
 */
export interface Resources {
  readonly account: {
    readonly record: Account;
    readonly create: AccountCreate;
    readonly update: AccountUpdate;
    readonly created: Account;
  };
  readonly securable: {
    readonly record: Securable;
    readonly create: SecurableCreate;
    readonly update: SecurableUpdate;
    readonly created: Securable;
    readonly explanation: Explanation;
  };
  readonly dataset: {
    readonly record: Dataset;
    readonly create: DatasetCreate;
    readonly update: DatasetUpdate;
    readonly created: Dataset;
    readonly explanation: Explanation;
  };
  readonly dashboard: {
    readonly record: Dashboard;
    readonly create: DashboardCreate;
    readonly update: DashboardUpdate;
    readonly created: Dashboard;
    readonly explanation: Explanation;
  };
  readonly ssoconfig: {
    readonly record: Ssoconfig;
    readonly create: SsoconfigCreate;
    readonly update: SsoconfigUpdate;
    readonly created: Ssoconfig;
  };
  readonly theme: {
    readonly record: Theme;
    readonly create: ThemeCreate;
    readonly update: ThemeUpdate;
    readonly created: Theme;
  };
  readonly plugin: {
    readonly record: Plugin;
    readonly create: PluginCreate;
    readonly update: PluginUpdate;
    readonly created: Plugin;
  };
  readonly airequest: {
    readonly record: Airequest;
    readonly create: never;
    readonly update: never;
    readonly created: Airequest;
  };
  readonly organization: {
    readonly record: Organization;
    readonly create: never;
    readonly update: OrganizationUpdate;
    readonly created: Organization;
  };
  readonly user: {
    readonly record: User;
    readonly create: UserCreate;
    readonly update: UserUpdate;
    readonly created: UserCreated;
  };
  readonly group: {
    readonly record: Group;
    readonly create: GroupCreate;
    readonly update: GroupUpdate;
    readonly created: Group;
  };
  readonly authorization: {
    readonly record: Authorization;
    readonly create: AuthorizationCreate;
    readonly update: never;
    readonly created: AuthorizationCreated;
  };
  readonly identity: {
    readonly record: Identity;
    readonly create: IdentityCreate;
    readonly update: never;
    readonly created: Identity;
  };
  readonly column: {
    readonly record: Column;
    readonly create: ColumnCreate;
    readonly update: ColumnUpdate;
    readonly created: Column;
  };
  readonly formula: {
    readonly record: Formula;
    readonly create: FormulaCreate;
    readonly update: FormulaUpdate;
    readonly created: Formula;
  };
  readonly hierarchylevel: {
    readonly record: Hierarchylevel;
    readonly create: HierarchylevelCreate;
    readonly update: HierarchylevelUpdate;
    readonly created: Hierarchylevel;
  };
  readonly tag: { readonly record: Tag; readonly create: TagCreate; readonly update: TagUpdate; readonly created: Tag };
  readonly collection: {
    readonly record: Collection;
    readonly create: CollectionCreate;
    readonly update: CollectionUpdate;
    readonly created: Collection;
  };
  readonly share: {
    readonly record: Share;
    readonly create: ShareCreate;
    readonly update: ShareUpdate;
    readonly created: Share;
  };
  readonly integration: {
    readonly record: Integration;
    readonly create: IntegrationCreate;
    readonly update: IntegrationUpdate;
    readonly created: Integration;
  };
  readonly embedfiltergroup: {
    readonly record: Embedfiltergroup;
    readonly create: EmbedfiltergroupCreate;
    readonly update: EmbedfiltergroupUpdate;
    readonly created: Embedfiltergroup;
  };
  readonly schedule: {
    readonly record: Schedule;
    readonly create: ScheduleCreate;
    readonly update: ScheduleUpdate;
    readonly created: Schedule;
  };
  readonly dashboardversion: {
    readonly record: Dashboardversion;
    readonly create: DashboardversionCreate;
    readonly update: DashboardversionUpdate;
    readonly created: Dashboardversion;
  };
  readonly image: {
    readonly record: Image;
    readonly create: ImageCreate;
    readonly update: ImageUpdate;
    readonly created: Image;
  };
  readonly locale: {
    readonly record: Locale;
    readonly create: never;
    readonly update: never;
    readonly created: Locale;
  };
  readonly country: {
    readonly record: Country;
    readonly create: never;
    readonly update: never;
    readonly created: Country;
  };
  readonly font: {
    readonly record: Font;
    readonly create: FontCreate;
    readonly update: FontUpdate;
    readonly created: Font;
  };
  readonly task: { readonly record: Task; readonly create: never; readonly update: TaskUpdate; readonly created: Task };
  readonly acceleration: {
    readonly record: Acceleration;
    readonly create: AccelerationCreate;
    readonly update: AccelerationUpdate;
    readonly created: Acceleration;
  };
}

/** A connection to a database or a data plugin: its address and credentials. Not a person’s login. */
export type Account = {
  /** Assigned by the service. */
  readonly id: string;
  /** Owner. */
  readonly user_id: string | null;
  /** The plugin of the account. */
  readonly plugin_id: string | null;
  /** Created together with the record. */
  readonly shareable_id: string | null;
  /** Name of a built-in provider (`postgresql`, `mysql`, `clickhouse`, `trino`, `duckdb`), or slug of a plugin. */
  readonly provider: string | null;
  /** Name. */
  readonly name: string | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Date of the connection. */
  readonly date: string | null;
  /** After this time the account is paused. */
  readonly expiry: string | null;
  /** Database name; a plugin may use it in another way. */
  readonly scope: string | null;
  /** Host name or address. It is checked each time a connection is opened. */
  readonly host: string | null;
  /** Port, as a text; a whole number is read as one. */
  readonly port: string | null;
  /** User name. */
  readonly identifier: string | null;
  /** Password or other credential. `********` where one is stored. */
  readonly token: string | null;
  /** Code of an OAuth exchange; a secret if the plugin uses oauth2. */
  readonly code: string | null;
  /** If false, all queries are paused. */
  readonly active: boolean | null;
  /** True after the source has refused the credentials. */
  readonly invalid: boolean | null;
  /** Whether its database user has write access, as of the last listing of its tables. */
  readonly user_may_write: boolean | null;
  /** Whether the list of datasets was read. */
  readonly synced: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache: number | null;
  /** Whether metadata is refreshed periodically. */
  readonly datasets_meta_sync_enabled: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly datasets_meta_sync_interval: number | null;
  /** Settings of the provider. */
  readonly properties: JsonObject | null;
  /** Version reported by the source. */
  readonly version: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type LanguageMap = { readonly [name: string]: string };

export type Warning = {
  readonly path: string;
  readonly code: string;
  readonly message: string;
};

/** What a create of account accepts. */
export type AccountCreate = {
  /** The plugin of the account. */
  readonly plugin_id?: string | null;
  /** Name of a built-in provider (`postgresql`, `mysql`, `clickhouse`, `trino`, `duckdb`), or slug of a plugin. */
  readonly provider?: string | null;
  /** Name. */
  readonly name?: string | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Date of the connection. */
  readonly date?: string | null;
  /** After this time the account is paused. */
  readonly expiry?: string | null;
  /** Database name; a plugin may use it in another way. */
  readonly scope?: string | null;
  /** Host name or address. It is checked each time a connection is opened. */
  readonly host?: string | null;
  /** Port, as a text; a whole number is read as one. */
  readonly port?: string | null;
  /** User name. */
  readonly identifier?: string | null;
  /** Password or other credential. */
  readonly token?: string | null;
  /** Code of an OAuth exchange; a secret if the plugin uses oauth2. */
  readonly code?: string | null;
  /** If false, all queries are paused. Default: `true`. */
  readonly active?: boolean | null;
  /** True after the source has refused the credentials. Default: `false`. */
  readonly invalid?: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. Default: `0`. */
  readonly cache?: number | null;
  /** Whether metadata is refreshed periodically. Default: `true`. */
  readonly datasets_meta_sync_enabled?: boolean | null;
  /** Hours between two metadata refreshes. Default: `1`. */
  readonly datasets_meta_sync_interval?: number | null;
  /** Settings of the provider. Default: `{}`. */
  readonly properties?: JsonObject | null;
};

/** What an update of account accepts. */
export type AccountUpdate = {
  /** The plugin of the account. */
  readonly plugin_id?: string | null;
  /** Name of a built-in provider (`postgresql`, `mysql`, `clickhouse`, `trino`, `duckdb`), or slug of a plugin. */
  readonly provider?: string | null;
  /** Name. */
  readonly name?: string | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Date of the connection. */
  readonly date?: string | null;
  /** After this time the account is paused. */
  readonly expiry?: string | null;
  /** Database name; a plugin may use it in another way. */
  readonly scope?: string | null;
  /** Host name or address. It is checked each time a connection is opened. */
  readonly host?: string | null;
  /** Port, as a text; a whole number is read as one. */
  readonly port?: string | null;
  /** User name. */
  readonly identifier?: string | null;
  /** Password or other credential. */
  readonly token?: string | null;
  /** Code of an OAuth exchange; a secret if the plugin uses oauth2. */
  readonly code?: string | null;
  /** If false, all queries are paused. */
  readonly active?: boolean | null;
  /** True after the source has refused the credentials. */
  readonly invalid?: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache?: number | null;
  /** Whether metadata is refreshed periodically. */
  readonly datasets_meta_sync_enabled?: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly datasets_meta_sync_interval?: number | null;
  /** Settings of the provider. */
  readonly properties?: JsonObject | null;
};

/** A dataset or a dashboard. */
export type Securable = {
  /** Assigned by the service. */
  readonly id: string;
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type: SecurableType | null;
  /** For a dataset: the connector or plugin, `upload` or `api`. */
  readonly subtype: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug: string | null;
  /** Not used; always null. */
  readonly options: JsonObject | null;
  /** Custom CSS of a dashboard. */
  readonly css: string | null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet: string | null;
  /** Query at the source. */
  readonly source_query: string | null;
  /** Transformation of the rows. */
  readonly transformation: string | null;
  /** Number of rows; null for callers who do not see all of them. */
  readonly rows: number | null;
  /** Shown first. */
  readonly featured: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. */
  readonly shared_across_tenants: boolean | null;
  /** The columns that rows lack a value in, by `source_name`, with the number of these rows; null where it is not known. */
  readonly empty_values: JsonObject | null;
  /** `client`: rows stay at the source; `columnar`: rows are stored in the columnar engine. */
  readonly storage: string | null;
  /** Not used; always false. */
  readonly derived: boolean | null;
  /** Whether it is a variant of another. */
  readonly is_variant: boolean | null;
  /** Rows moved by a migration. */
  readonly migrated_rows: number | null;
  /** Whether the rows are in the columnar engine. */
  readonly uses_columnar_experimental: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly meta_sync_interval: number | null;
  /** Use the interval of the account. */
  readonly meta_sync_inherit: boolean | null;
  /** Whether metadata is refreshed periodically. */
  readonly meta_sync_enabled: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at: string | null;
  /** Time of the last attempt. */
  readonly last_metadata_sync_attempt_at: string | null;
  /** When somebody last changed it. */
  readonly modified_at: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** The acceleration of a dataset; null without one. */
  readonly acceleration_id: string | null;
  /** The account that provides its rows. */
  readonly account_id: string | null;
  /** The template from which it was created. */
  readonly template_id: string | null;
  /** The dashboard it is a variant of. */
  readonly original_id: string | null;
  /** The template of its source. */
  readonly source_template_id: string | null;
  /** Who last changed it. */
  readonly modifier_id: string | null;
  /** Its newest owner. */
  readonly owner_id: string | null;
  /** Of a dashboard that an embed token made: suborganization of the token. */
  readonly suborganization: string | null;
  /** Of a dashboard that an embed token made: `username` of the token. */
  readonly username: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type SecurableType = 'dataset' | 'dashboard';

/** What a create of securable accepts. */
export type SecurableCreate = {
  /** `dataset` or `dashboard`; cannot be changed. Default: `"dashboard"`. */
  readonly type?: SecurableType | null;
  /** For a dataset: the connector or plugin, `upload` or `api`. Default: `"api"`. */
  readonly subtype?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents?: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Custom CSS of a dashboard. */
  readonly css?: string | null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset?: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet?: string | null;
  /** Query at the source. */
  readonly source_query?: string | null;
  /** Transformation of the rows. */
  readonly transformation?: string | null;
  /** Shown first. Default: `false`. */
  readonly featured?: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache?: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. */
  readonly shared_across_tenants?: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly meta_sync_interval?: number | null;
  /** Use the interval of the account. */
  readonly meta_sync_inherit?: boolean | null;
  /** Whether metadata is refreshed periodically. */
  readonly meta_sync_enabled?: boolean | null;
  /** Read the schema from the source before answering. */
  readonly update_metadata?: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at?: string | null;
  /** The account that provides its rows. */
  readonly account_id?: string | null;
};

/** What an update of securable accepts. */
export type SecurableUpdate = {
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type?: SecurableType | null;
  /** For a dataset: the connector or plugin, `upload` or `api`. */
  readonly subtype?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents?: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Custom CSS of a dashboard. */
  readonly css?: string | null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset?: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet?: string | null;
  /** Query at the source. */
  readonly source_query?: string | null;
  /** Transformation of the rows. */
  readonly transformation?: string | null;
  /** Shown first. */
  readonly featured?: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache?: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. */
  readonly shared_across_tenants?: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly meta_sync_interval?: number | null;
  /** Use the interval of the account. */
  readonly meta_sync_inherit?: boolean | null;
  /** Whether metadata is refreshed periodically. */
  readonly meta_sync_enabled?: boolean | null;
  /** Read the schema from the source before answering. */
  readonly update_metadata?: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at?: string | null;
};

/** Who sees what and why; only in the answer to a get with `explain`. */
export type Explanation = {
  readonly subject: ExplainedSubject;
  /** What a get of the record shows; `outline` to Organization Owners who may not read it. */
  readonly sees: 'record' | 'outline' | 'nothing';
  /** What a get of the record is refused with. */
  readonly problem: ExplainedProblem | null;
  readonly id: string | null;
  /** As the record has it; null if you may not see it. */
  readonly name: Json;
  /** False for a dataset that you do not own: only its owners and Organization Owners see more of it. */
  readonly explained: boolean;
  /** The level held: the least of `bounds`. */
  readonly level: 'read' | 'use' | 'modify' | 'own' | null;
  /** What the level depends on. */
  readonly bounds: readonly ExplainedBound[];
  /** The ways by which rights are given, also those that give nothing any more; at most 100. */
  readonly paths: readonly ExplainedPath[];
  /** How many ways there are in all. */
  readonly paths_count: number;
  /** Columns that do not exist for the token. */
  readonly hidden_columns: readonly ExplainedRecord[];
  /** Of a dataset whose rows are seen; null otherwise. */
  readonly rows: ExplainedRows | null;
  /** Of a dashboard; null otherwise. */
  readonly datasets: readonly ExplainedDataset[] | null;
};

/** Whose access is explained. */
export type ExplainedSubject = {
  readonly type: 'user' | 'login' | 'api' | 'embed';
  readonly id: string;
  readonly name: string | null;
  readonly suborganization: string | null;
  /** Rank in the organization. */
  readonly rank: string | null;
  /** Role of an embed token. */
  readonly role: string | null;
  /** Of an authorization: its person or issuer. */
  readonly user: ExplainedRecord | null;
  /** Of an embed token: whose securables it was given. */
  readonly integration: ExplainedRecord | null;
  readonly environment: string | null;
  /** True if the person is no member of the organization any more, or the authorization has ended. */
  readonly ended: boolean;
};

/** A record; id and name are null if you may not see it. */
export type ExplainedRecord = {
  /** The resource of the record. */
  readonly type: string;
  readonly id: string | null;
  /** Its name as the record has it: a text, or texts by language. */
  readonly name: Json;
};

/** What a request is refused with. */
export type ExplainedProblem = {
  readonly code: string;
  readonly message: string;
};

/** A bound of the level. */
export type ExplainedBound = {
  /** Of a token: `issuer` is what its issuer holds, `role` what its role allows, `environment` whether there is a version for it. */
  readonly by: 'paths' | 'issuer' | 'role' | 'environment';
  readonly level: 'read' | 'use' | 'modify' | 'own' | null;
};

/** A way by which a right is given. */
export type ExplainedPath = {
  /** Who has it: the subject, or the issuer of its token. */
  readonly party: 'subject' | 'issuer';
  /** `rank`: by rank in the organization; `user`, `group`, `token`: by a link; `end_user`: made by a token of the same end user; `collection`: by a collection that has the record. */
  readonly type: 'rank' | 'user' | 'group' | 'token' | 'end_user' | 'collection';
  /** Whom the link leads to; null for a rank and an end user. */
  readonly to: ExplainedRecord | null;
  readonly collection: ExplainedRecord | null;
  /** Who gave it and bounds it; null for a rank, and for what an owner gave, which nobody bounds. */
  readonly giver: ExplainedRecord | null;
  /** What its links say. A giver who holds less lowers it. */
  readonly linked_level: 'read' | 'use' | 'modify' | 'own' | null;
  /** What it gives now; null for nothing. */
  readonly level: 'read' | 'use' | 'modify' | 'own' | null;
  /** Of a dataset: which rows it opens, before the row filters; null if it does not give the right that the rows are read with. */
  readonly rows: 'all' | 'filtered' | 'none' | null;
  /** With `filtered`: the alternatives of which one must hold. */
  readonly any_of: readonly (readonly ExplainedFilter[])[];
};

/** A row filter: whom it is set for (`from`), and what it tests. */
export type ExplainedFilter = {
  readonly from: ExplainedRecord;
  /** The record whose link has the filter; null for a filter of a token. */
  readonly via: ExplainedRecord | null;
  readonly dataset: ExplainedRecord;
  readonly column: ExplainedRecord | null;
  readonly expression: string | null;
  /** Name of the parameter that gives the value. */
  readonly parameter: string | null;
  /** The value in force; null if it has none, is sensitive or is not shown. */
  readonly value: Json;
  /** False if you may not see what the filter tests: column, expression and value are then null. */
  readonly shown: boolean;
};

/** The rows of a dataset. */
export type ExplainedRows = {
  /** The right with which rows are read. `use`: by any query; `read`: only by what stored items ask; null where the filters cannot be loaded. */
  readonly right: 'read' | 'use' | null;
  /** Number of rows before the first filter; null where it could not be counted, or where you may not know it. */
  readonly total: number | null;
  /** The row filters in the order in which they are counted. All of them must hold. */
  readonly filters: readonly ExplainedFilterStep[];
  /** The parties whose paths do not open all rows, with the number of rows after them. */
  readonly givers: readonly ExplainedGiverStep[];
  /** After all of them: what queries read. 0 where they are refused. */
  readonly visible: number | null;
  /** Why queries are refused, or why rows could not be counted. */
  readonly problem: ExplainedProblem | null;
  /** False if you may not know the numbers of rows. */
  readonly counted: boolean;
};

/** A row filter with the number of rows after it. */
export type ExplainedFilterStep = {
  readonly filter: ExplainedFilter;
  /** Number of rows; null where it could not be counted, or where you may not know it. */
  readonly rows: number | null;
  /** Why all rows are refused from here on, or cannot be counted. */
  readonly problem: ExplainedProblem | null;
};

/** What the paths of a party open. */
export type ExplainedGiverStep = {
  readonly party: 'subject' | 'issuer';
  /** Number of rows; null where it could not be counted, or where you may not know it. */
  readonly rows: number | null;
  /** Why all rows are refused from here on, or cannot be counted. */
  readonly problem: ExplainedProblem | null;
};

/** A dataset of a dashboard. */
export type ExplainedDataset = {
  readonly id: string | null;
  /** As the record has it; null if you may not see it. */
  readonly name: Json;
  /** False for a dataset that you do not own: only its owners and Organization Owners see more of it. */
  readonly explained: boolean;
  /** The level held: the least of `bounds`. */
  readonly level: 'read' | 'use' | 'modify' | 'own' | null;
  /** What the level depends on. */
  readonly bounds: readonly ExplainedBound[];
  /** The ways by which rights are given, also those that give nothing any more; at most 100. */
  readonly paths: readonly ExplainedPath[];
  /** How many ways there are in all. */
  readonly paths_count: number;
  /** Columns that do not exist for the token. */
  readonly hidden_columns: readonly ExplainedRecord[];
  /** Of a dataset whose rows are seen; null otherwise. */
  readonly rows: ExplainedRows | null;
};

/** A dataset or a dashboard. */
export type Dataset = {
  /** Assigned by the service. */
  readonly id: string;
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type: 'dataset';
  /** For a dataset: the connector or plugin, `upload` or `api`. */
  readonly subtype: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle: LanguageMap | null;
  /** Definition of the dashboard, `version` first. Null for a dataset. */
  readonly contents: null;
  /** Short name, unique in the organization. */
  readonly slug: string | null;
  /** Not used; always null. */
  readonly options: JsonObject | null;
  /** Custom CSS of a dashboard. Null for a dataset. */
  readonly css: null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet: string | null;
  /** Query at the source. */
  readonly source_query: string | null;
  /** Transformation of the rows. */
  readonly transformation: string | null;
  /** Number of rows; null for callers who do not see all of them. */
  readonly rows: number | null;
  /** Shown first. */
  readonly featured: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. */
  readonly shared_across_tenants: boolean | null;
  /** The columns that rows lack a value in, by `source_name`, with the number of these rows; null where it is not known. */
  readonly empty_values: JsonObject | null;
  /** `client`: rows stay at the source; `columnar`: rows are stored in the columnar engine. */
  readonly storage: string | null;
  /** Not used; always false. */
  readonly derived: boolean | null;
  /** Whether it is a variant of another. */
  readonly is_variant: boolean | null;
  /** Rows moved by a migration. */
  readonly migrated_rows: number | null;
  /** Whether the rows are in the columnar engine. */
  readonly uses_columnar_experimental: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly meta_sync_interval: number | null;
  /** Use the interval of the account. */
  readonly meta_sync_inherit: boolean | null;
  /** Whether metadata is refreshed periodically. */
  readonly meta_sync_enabled: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at: string | null;
  /** Time of the last attempt. */
  readonly last_metadata_sync_attempt_at: string | null;
  /** When somebody last changed it. */
  readonly modified_at: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** The acceleration of a dataset; null without one. */
  readonly acceleration_id: string | null;
  /** The account that provides its rows. */
  readonly account_id: string | null;
  /** The template from which it was created. */
  readonly template_id: string | null;
  /** The dashboard it is a variant of. */
  readonly original_id: string | null;
  /** The template of its source. */
  readonly source_template_id: string | null;
  /** Who last changed it. */
  readonly modifier_id: string | null;
  /** Its newest owner. */
  readonly owner_id: string | null;
  /** Of a dashboard that an embed token made: suborganization of the token. Null for a dataset. */
  readonly suborganization: null;
  /** Of a dashboard that an embed token made: `username` of the token. Null for a dataset. */
  readonly username: null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of dataset accepts. */
export type DatasetCreate = {
  /** `dataset` or `dashboard`; cannot be changed. Default: `"dashboard"`. */
  readonly type?: SecurableType | null;
  /** For a dataset: the connector or plugin, `upload` or `api`. Default: `"api"`. */
  readonly subtype?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset?: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet?: string | null;
  /** Query at the source. */
  readonly source_query?: string | null;
  /** Transformation of the rows. */
  readonly transformation?: string | null;
  /** Seconds that query results may be cached; 0 disables the cache. Default: `0`. */
  readonly cache?: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. Default: `false`. */
  readonly shared_across_tenants?: boolean | null;
  /** Hours between two metadata refreshes. Default: `1`. */
  readonly meta_sync_interval?: number | null;
  /** Use the interval of the account. Default: `true`. */
  readonly meta_sync_inherit?: boolean | null;
  /** Whether metadata is refreshed periodically. Default: `true`. */
  readonly meta_sync_enabled?: boolean | null;
  /** Read the schema from the source before answering. Default: `false`. */
  readonly update_metadata?: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at?: string | null;
  /** The account that provides its rows. */
  readonly account_id?: string | null;
};

/** What an update of dataset accepts. */
export type DatasetUpdate = {
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type?: SecurableType | null;
  /** For a dataset: the connector or plugin, `upload` or `api`. */
  readonly subtype?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Identifier of the dataset at its source. */
  readonly source_dataset?: string | null;
  /** Sheet or table at the source. */
  readonly source_sheet?: string | null;
  /** Query at the source. */
  readonly source_query?: string | null;
  /** Transformation of the rows. */
  readonly transformation?: string | null;
  /** Seconds that query results may be cached; 0 disables the cache. */
  readonly cache?: number | null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. */
  readonly shared_across_tenants?: boolean | null;
  /** Hours between two metadata refreshes. */
  readonly meta_sync_interval?: number | null;
  /** Use the interval of the account. */
  readonly meta_sync_inherit?: boolean | null;
  /** Whether metadata is refreshed periodically. */
  readonly meta_sync_enabled?: boolean | null;
  /** Read the schema from the source before answering. */
  readonly update_metadata?: boolean | null;
  /** Time of the last metadata refresh. */
  readonly last_metadata_sync_at?: string | null;
};

/** A dataset or a dashboard. */
export type Dashboard = {
  /** Assigned by the service. */
  readonly id: string;
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type: 'dashboard';
  /** For a dataset: the connector or plugin, `upload` or `api`. */
  readonly subtype: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug: string | null;
  /** Not used; always null. */
  readonly options: JsonObject | null;
  /** Custom CSS of a dashboard. */
  readonly css: string | null;
  /** Identifier of the dataset at its source. Null for a dashboard. */
  readonly source_dataset: null;
  /** Sheet or table at the source. Null for a dashboard. */
  readonly source_sheet: null;
  /** Query at the source. Null for a dashboard. */
  readonly source_query: null;
  /** Transformation of the rows. Null for a dashboard. */
  readonly transformation: null;
  /** Number of rows; null for callers who do not see all of them. Null for a dashboard. */
  readonly rows: null;
  /** Shown first. */
  readonly featured: boolean | null;
  /** Seconds that query results may be cached; 0 disables the cache. Null for a dashboard. */
  readonly cache: null;
  /** Set by an owner who sees all rows: the dataset has no rows of individual tenants, so there are no warnings if no row filter applies to it. Null for a dashboard. */
  readonly shared_across_tenants: null;
  /** The columns that rows lack a value in, by `source_name`, with the number of these rows; null where it is not known. Null for a dashboard. */
  readonly empty_values: null;
  /** `client`: rows stay at the source; `columnar`: rows are stored in the columnar engine. Null for a dashboard. */
  readonly storage: null;
  /** Not used; always false. */
  readonly derived: boolean | null;
  /** Whether it is a variant of another. */
  readonly is_variant: boolean | null;
  /** Rows moved by a migration. Null for a dashboard. */
  readonly migrated_rows: null;
  /** Whether the rows are in the columnar engine. */
  readonly uses_columnar_experimental: boolean | null;
  /** Hours between two metadata refreshes. Null for a dashboard. */
  readonly meta_sync_interval: null;
  /** Use the interval of the account. Null for a dashboard. */
  readonly meta_sync_inherit: null;
  /** Whether metadata is refreshed periodically. Null for a dashboard. */
  readonly meta_sync_enabled: null;
  /** Time of the last metadata refresh. Null for a dashboard. */
  readonly last_metadata_sync_at: null;
  /** Time of the last attempt. Null for a dashboard. */
  readonly last_metadata_sync_attempt_at: null;
  /** When somebody last changed it. */
  readonly modified_at: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** The acceleration of a dataset; null without one. */
  readonly acceleration_id: string | null;
  /** The account that provides its rows. Null for a dashboard. */
  readonly account_id: null;
  /** The template from which it was created. */
  readonly template_id: string | null;
  /** The dashboard it is a variant of. */
  readonly original_id: string | null;
  /** The template of its source. */
  readonly source_template_id: string | null;
  /** Who last changed it. */
  readonly modifier_id: string | null;
  /** Its newest owner. */
  readonly owner_id: string | null;
  /** Of a dashboard that an embed token made: suborganization of the token. */
  readonly suborganization: string | null;
  /** Of a dashboard that an embed token made: `username` of the token. */
  readonly username: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of dashboard accepts. */
export type DashboardCreate = {
  /** `dataset` or `dashboard`; cannot be changed. Default: `"dashboard"`. */
  readonly type?: SecurableType | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents?: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Custom CSS of a dashboard. */
  readonly css?: string | null;
  /** Shown first. Default: `false`. */
  readonly featured?: boolean | null;
};

/** What an update of dashboard accepts. */
export type DashboardUpdate = {
  /** `dataset` or `dashboard`; cannot be changed. */
  readonly type?: SecurableType | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Subtitle. */
  readonly subtitle?: LanguageMap | null;
  /** Definition of the dashboard, `version` first. */
  readonly contents?: JsonObject | null;
  /** Short name, unique in the organization. */
  readonly slug?: string | null;
  /** Custom CSS of a dashboard. */
  readonly css?: string | null;
  /** Shown first. */
  readonly featured?: boolean | null;
};

/** Single sign-on of an organization through OpenID Connect. An organization has at most one configuration. */
export type Ssoconfig = {
  /** Assigned by the service. */
  readonly id: string;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** Protocol. */
  readonly protocol: SsoconfigProtocol | null;
  /** Client and provider. */
  readonly config: {
    readonly client_id?: string | null;
    readonly client_secret?: string | null;
    readonly issuer?: string | null;
    readonly authorization_url?: string | null;
    readonly token_url?: string | null;
    readonly user_info_url?: string | null;
    /** Which claims give name, e-mail address, groups and ranks. */
    readonly mapping?: JsonObject | null;
  } | null;
  /** Set by the first successful login. */
  readonly is_verified: boolean | null;
  /** Refuse e-mail and password login. */
  readonly disable_email_password: boolean | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type SsoconfigProtocol = 'OIDC';

/** What a create of ssoconfig accepts. */
export type SsoconfigCreate = {
  /** Protocol. */
  readonly protocol: SsoconfigProtocol;
  /** Client and provider. */
  readonly config: {
    readonly client_id?: string | null;
    readonly client_secret?: string | null;
    readonly issuer?: string | null;
    readonly authorization_url?: string | null;
    readonly token_url?: string | null;
    readonly user_info_url?: string | null;
    /** Which claims give name, e-mail address, groups and ranks. */
    readonly mapping?: JsonObject | null;
  };
  /** Refuse e-mail and password login. Default: `false`. */
  readonly disable_email_password?: boolean | null;
};

/** What an update of ssoconfig accepts. */
export type SsoconfigUpdate = {
  /** Protocol. */
  readonly protocol?: SsoconfigProtocol;
  /** Client and provider. */
  readonly config?: {
    readonly client_id?: string | null;
    readonly client_secret?: string | null;
    readonly issuer?: string | null;
    readonly authorization_url?: string | null;
    readonly token_url?: string | null;
    readonly user_info_url?: string | null;
    /** Which claims give name, e-mail address, groups and ranks. */
    readonly mapping?: JsonObject | null;
  };
  /** Refuse e-mail and password login. */
  readonly disable_email_password?: boolean | null;
};

/** The appearance of dashboards; belongs to an organization. */
export type Theme = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Colours, fonts and borders. */
  readonly theme: ThemeProperties | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** When it was deleted. */
  readonly deleted_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type ThemeProperties = {
  readonly type?: string | null;
  /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
  readonly background?: string | null;
  /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
  readonly itemsBackground?: string | null;
  /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
  readonly mainColor?: string | null;
  readonly colors?: readonly string[] | null;
  readonly sequential?: readonly string[] | null;
  readonly diverging?: readonly string[] | null;
  readonly font?: {
    readonly fontFamily?: string | null;
    /** A number, or a length such as `12px`. */
    readonly fontSize?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly 'font-weight'?: number | string | null;
    readonly 'font-style'?: string | null;
  } | null;
  readonly title?: {
    readonly align?: 'left' | 'center' | 'right' | null;
    readonly bold?: boolean | null;
    readonly italic?: boolean | null;
    readonly underline?: boolean | null;
    readonly border?: boolean | null;
    /** A number, or a length such as `12px`. */
    readonly fontSize?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly lineHeight?: number | string | null;
  } | null;
  readonly borders?: {
    /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
    readonly 'border-color'?: string | null;
    /** A number, or a length such as `12px`. */
    readonly 'border-radius'?: number | string | null;
    readonly 'border-style'?: 'none' | 'solid' | 'dotted' | 'dashed' | null;
    /** A number, or a length such as `12px`. */
    readonly 'border-top-width'?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly 'border-right-width'?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly 'border-bottom-width'?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly 'border-left-width'?: number | string | null;
  } | null;
  readonly boxShadow?: {
    readonly size?: 'none' | 'S' | 'M' | 'L' | null;
    /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
    readonly color?: string | null;
  } | null;
  readonly popupShadow?: {
    readonly size?: 'none' | 'S' | 'M' | 'L' | null;
    /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
    readonly color?: string | null;
  } | null;
  readonly typeScale?: {
    /** A number, or a length such as `12px`. */
    readonly small?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly figure?: number | string | null;
    readonly headings?: readonly (number | string | null)[] | null;
  } | null;
  /** A number, or a length such as `12px`. */
  readonly spacing?: number | string | null;
  readonly radius?: {
    /** A number, or a length such as `12px`. */
    readonly small?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly medium?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly large?: number | string | null;
  } | null;
  readonly density?: 'compact' | 'normal' | 'comfortable' | null;
  readonly contrast?: 'normal' | 'more' | null;
  readonly margins?: readonly Json[] | null;
  readonly axis?: {
    /** A number, or a length such as `12px`. */
    readonly fontSize?: number | string | null;
  } | null;
  readonly legend?: {
    readonly type?: 'normal' | 'line' | 'circle' | null;
    /** A number, or a length such as `12px`. */
    readonly fontSize?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly lineHeight?: number | string | null;
  } | null;
  readonly tooltip?: {
    /** A CSS colour, such as `#1a2b3c` or `rgb(26,43,60)`. */
    readonly background?: string | null;
    /** A number, or a length such as `12px`. */
    readonly fontSize?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly lineHeight?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly opacity?: number | string | null;
  } | null;
  readonly itemSpecific?: {
    /** A number, or a length such as `12px`. */
    readonly rounding?: number | string | null;
    /** A number, or a length such as `12px`. */
    readonly padding?: number | string | null;
  } | null;
};

/** What a create of theme accepts. */
export type ThemeCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Colours, fonts and borders. Default: `{"type":"custom"}`. */
  readonly theme?: ThemeProperties | null;
};

/** What an update of theme accepts. */
export type ThemeUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Colours, fonts and borders. */
  readonly theme?: ThemeProperties | null;
};

/** A custom data provider that implements the plugin protocol. */
export type Plugin = {
  /** Assigned by the service. */
  readonly id: string;
  /** Short name in URLs. */
  readonly slug: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Address of product information. */
  readonly url: string | null;
  /** Licence. */
  readonly license: string | null;
  /** Address of the plugin’s own service. */
  readonly base_url: string | null;
  /** How an account authorizes. */
  readonly authorize: PluginAuthorize | null;
  /** Serves tiles. */
  readonly tiles: boolean | null;
  /** Can be searched. */
  readonly search: boolean | null;
  /** Everybody can read it. */
  readonly public: boolean | null;
  /** Set by the operator. */
  readonly reviewed: boolean | null;
  /** Colour. */
  readonly color: string | null;
  /** Sent to the plugin as X-Secret. `********` where one is stored. */
  readonly secret: string | null;
  /** Version of the plugin protocol. */
  readonly protocol_version: string | null;
  /** Whether the plugin aggregates and filters. */
  readonly pushdown: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_like: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_distinctcount: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_order_limit: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_join: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_sql: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_nested_filters: boolean | null;
  /** Settings of its accounts, by name: `{type?, secret?, required?, description?}`. */
  readonly properties: JsonObject | null;
  readonly organization: Organization;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type PluginAuthorize = 'none' | 'token' | 'key_token' | 'host_key_token' | 'oauth2' | 'custom';

/** A tenant. Organizations cannot see each other’s data. */
export type Organization = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Payment method. */
  readonly payment_method: string | null;
  /** Address. */
  readonly address_line_1: string | null;
  /** Address, second line. */
  readonly address_line_2: string | null;
  /** Postal code. */
  readonly zipcode: string | null;
  /** State. */
  readonly state: string | null;
  /** City. */
  readonly city: string | null;
  /** VAT number. */
  readonly vat: string | null;
  /** Legal name. */
  readonly legal_name: string | null;
  /** Data protection officer. */
  readonly dpo_name: string | null;
  /** Address of the data protection officer. */
  readonly dpo_address_line_1: string | null;
  /** Address of the data protection officer, second line. */
  readonly dpo_address_line_2: string | null;
  /** E-mail of the data protection officer. */
  readonly dpo_email: string | null;
  /** Telephone of the data protection officer. */
  readonly dpo_phone: string | null;
  /** Who signed the data processing agreement. */
  readonly dpa_signed_by: string | null;
  /** When it was signed. */
  readonly dpa_signed_on: string | null;
  /** The data processing agreement. */
  readonly dpa_text: string | null;
  /** Main colour. */
  readonly main_color: string | null;
  /** Accent colour. */
  readonly accent_color: string | null;
  /** Sender of e-mails. */
  readonly from_email: string | null;
  /** Unique subdomain. It names the organization in the URL of its sign-in. */
  readonly subdomain: string | null;
  /** Whether viewers may be invited. */
  readonly flag_allow_viewers: boolean | null;
  /** Whether dashboards may be published. */
  readonly flag_publish: boolean | null;
  /** Whether the product shows no name of its own. */
  readonly flag_whitelabeling: boolean | null;
  /** Whether AI charts are on. */
  readonly flag_experimental_ai: boolean | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides: readonly string[] | null;
  /** Whether embed tokens are refused that may read a dataset which no row filter reaches, unless it is shared_across_tenants. */
  readonly require_row_filters: boolean | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** Id of a country; its ISO 3166-1 code is accepted too. */
  readonly country_id: string | null;
  /** Default theme. */
  readonly theme_id: string | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of plugin accepts. */
export type PluginCreate = {
  /** Short name in URLs. */
  readonly slug: string;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Address of product information. */
  readonly url?: string | null;
  /** Licence. */
  readonly license?: string | null;
  /** Address of the plugin’s own service. */
  readonly base_url?: string | null;
  /** How an account authorizes. Default: `"none"`. */
  readonly authorize?: PluginAuthorize | null;
  /** Serves tiles. Default: `false`. */
  readonly tiles?: boolean | null;
  /** Can be searched. Default: `false`. */
  readonly search?: boolean | null;
  /** Everybody can read it. Default: `false`. */
  readonly public?: boolean | null;
  /** Colour. */
  readonly color?: string | null;
  /** Sent to the plugin as X-Secret. */
  readonly secret?: string | null;
  /** Version of the plugin protocol. Default: `"1.0.0"`. */
  readonly protocol_version?: string | null;
  /** Whether the plugin aggregates and filters. Default: `false`. */
  readonly pushdown?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_like?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_distinctcount?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_order_limit?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_join?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_sql?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. Default: `false`. */
  readonly supports_nested_filters?: boolean | null;
  /** Settings of its accounts, by name: `{type?, secret?, required?, description?}`. Default: `{}`. */
  readonly properties?: JsonObject | null;
};

/** What an update of plugin accepts. */
export type PluginUpdate = {
  /** Short name in URLs. */
  readonly slug?: string;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Address of product information. */
  readonly url?: string | null;
  /** Licence. */
  readonly license?: string | null;
  /** Address of the plugin’s own service. */
  readonly base_url?: string | null;
  /** How an account authorizes. */
  readonly authorize?: PluginAuthorize | null;
  /** Serves tiles. */
  readonly tiles?: boolean | null;
  /** Can be searched. */
  readonly search?: boolean | null;
  /** Everybody can read it. */
  readonly public?: boolean | null;
  /** Colour. */
  readonly color?: string | null;
  /** Sent to the plugin as X-Secret. */
  readonly secret?: string | null;
  /** Version of the plugin protocol. */
  readonly protocol_version?: string | null;
  /** Whether the plugin aggregates and filters. */
  readonly pushdown?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_like?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_distinctcount?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_order_limit?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_join?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_sql?: boolean | null;
  /** A capability of the plugin, as clients send it. Stored, without effect yet. */
  readonly supports_nested_filters?: boolean | null;
  /** Settings of its accounts, by name: `{type?, secret?, required?, description?}`. */
  readonly properties?: JsonObject | null;
};

/** The exact request to the AI provider, stored before it is sent. */
export type Airequest = {
  /** Assigned by the service. */
  readonly id: string;
  /** The person who sent the request; null for an embed token. */
  readonly user_id: string | null;
  /** The dataset of the request. */
  readonly dataset_id: string | null;
  /** Where it was sent. */
  readonly address: string | null;
  /** The requested model. */
  readonly model: string | null;
  /** The exact request as JSON text. */
  readonly body: string | null;
  /** Its size in bytes. */
  readonly bytes: number | null;
  /** SHA-256 of the request in hex. */
  readonly hash: string | null;
  /** Outcome; `sent` until it is known. */
  readonly outcome: AirequestOutcome | null;
  /** Milliseconds until the response. */
  readonly duration: number | null;
  /** Suborganization of the caller. */
  readonly suborganization: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type AirequestOutcome = 'sent' | 'used' | 'unusable' | 'refused' | 'timeout' | 'failed';

/** What an update of organization accepts. */
export type OrganizationUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Payment method. */
  readonly payment_method?: string | null;
  /** Address. */
  readonly address_line_1?: string | null;
  /** Address, second line. */
  readonly address_line_2?: string | null;
  /** Postal code. */
  readonly zipcode?: string | null;
  /** State. */
  readonly state?: string | null;
  /** City. */
  readonly city?: string | null;
  /** VAT number. */
  readonly vat?: string | null;
  /** Legal name. */
  readonly legal_name?: string | null;
  /** Data protection officer. */
  readonly dpo_name?: string | null;
  /** Address of the data protection officer. */
  readonly dpo_address_line_1?: string | null;
  /** Address of the data protection officer, second line. */
  readonly dpo_address_line_2?: string | null;
  /** E-mail of the data protection officer. */
  readonly dpo_email?: string | null;
  /** Telephone of the data protection officer. */
  readonly dpo_phone?: string | null;
  /** Who signed the data processing agreement. */
  readonly dpa_signed_by?: string | null;
  /** When it was signed. */
  readonly dpa_signed_on?: string | null;
  /** The data processing agreement. */
  readonly dpa_text?: string | null;
  /** Main colour. */
  readonly main_color?: string | null;
  /** Accent colour. */
  readonly accent_color?: string | null;
  /** Sender of e-mails. */
  readonly from_email?: string | null;
  /** Unique subdomain. It names the organization in the URL of its sign-in. */
  readonly subdomain?: string | null;
  /** Whether viewers may be invited. */
  readonly flag_allow_viewers?: boolean | null;
  /** Whether dashboards may be published. */
  readonly flag_publish?: boolean | null;
  /** Whether the product shows no name of its own. */
  readonly flag_whitelabeling?: boolean | null;
  /** Whether AI charts are on. */
  readonly flag_experimental_ai?: boolean | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides?: readonly string[] | null;
  /** Whether embed tokens are refused that may read a dataset which no row filter reaches, unless it is shared_across_tenants. */
  readonly require_row_filters?: boolean | null;
  /** Id of a country; its ISO 3166-1 code is accepted too. */
  readonly country_id?: string | null;
  /** Default theme. */
  readonly theme_id?: string | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id?: string | null;
};

/** A person of an organization. */
export type User = {
  /** Assigned by the service. */
  readonly id: string;
  /** E-mail address; unique, compared without case. */
  readonly email: string | null;
  /** Name. */
  readonly name: string | null;
  /** First name. */
  readonly first_name: string | null;
  /** Last name. */
  readonly last_name: string | null;
  /** Job title. */
  readonly job: string | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id: string | null;
  /** IANA time zone name. */
  readonly timezone_id: string | null;
  /** Separates people inside an organization. */
  readonly suborganization: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of user accepts. */
export type UserCreate = {
  /** E-mail address; unique, compared without case. */
  readonly email: string;
  /** Name. */
  readonly name?: string | null;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Job title. */
  readonly job?: string | null;
  /** For e-mail and password login; never shown. */
  readonly password?: string | null;
  /** Rank in the organization: the flag of the new link. Set by an Organization Owner. */
  readonly role?: UserRole | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id?: string | null;
  /** IANA time zone name. */
  readonly timezone_id?: string | null;
  /** Separates people inside an organization. */
  readonly suborganization?: string | null;
};

export type UserRole = 'member' | 'editor' | 'owner' | 'admin';

/** What an update of user accepts. */
export type UserUpdate = {
  /** E-mail address; unique, compared without case. */
  readonly email?: string;
  /** Name. */
  readonly name?: string | null;
  /** First name. */
  readonly first_name?: string | null;
  /** Last name. */
  readonly last_name?: string | null;
  /** Job title. */
  readonly job?: string | null;
  /** For e-mail and password login; never shown. */
  readonly password?: string | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id?: string | null;
  /** IANA time zone name. */
  readonly timezone_id?: string | null;
  /** Separates people inside an organization. */
  readonly suborganization?: string | null;
};

/** A person of an organization. */
export type UserCreated = {
  /** Assigned by the service. */
  readonly id: string;
  /** E-mail address; unique, compared without case. */
  readonly email: string | null;
  /** Name. */
  readonly name: string | null;
  /** First name. */
  readonly first_name: string | null;
  /** Last name. */
  readonly last_name: string | null;
  /** Job title. */
  readonly job: string | null;
  /** Id of a locale; its ISO 639-1 code is accepted too. */
  readonly locale_id: string | null;
  /** IANA time zone name. */
  readonly timezone_id: string | null;
  /** Separates people inside an organization. */
  readonly suborganization: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
  /** Key of a login for the new person; null if people sign in only with their identity provider. */
  readonly key: string | null;
  /** Token of that login; it is stored hashed and never shown again. Null likewise. */
  readonly token: string | null;
};

/** People who get rights together. */
export type Group = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Shown in lists of groups. */
  readonly public: boolean | null;
  /** Separates people inside an organization. */
  readonly suborganization: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of group accepts. */
export type GroupCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Shown in lists of groups. Default: `false`. */
  readonly public?: boolean | null;
  /** Separates people inside an organization. */
  readonly suborganization?: string | null;
};

/** What an update of group accepts. */
export type GroupUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Shown in lists of groups. */
  readonly public?: boolean | null;
  /** Separates people inside an organization. */
  readonly suborganization?: string | null;
};

/** A key and token: a login, an API token, or an embed token. The `id` is the key; the token is shown only once. */
export type Authorization = {
  /** Assigned by the service. */
  readonly id: string;
  /** `login` (with email and password), `api` or `embed`. */
  readonly type: AuthorizationType | null;
  /** The person; of an embed token its issuer. */
  readonly user_id: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it expires, as a time or as a duration in words such as `24 hours`. Login: after INLAY_TOKEN_HOURS; embed: after 24 hours by default, at most a year. */
  readonly expiry: string | null;
  /** When it was last used, to within ten seconds. */
  readonly last_used_at: string | null;
  /** Login: the address of the person. Embed: shown only. */
  readonly email: string | null;
  /** Embed: identifies the person in your product. */
  readonly username: string | null;
  /** Embed: name of the person; api: what the token is for. */
  readonly name: string | null;
  /** Separates people inside the organization; for a login or API token, the suborganization of the person. */
  readonly suborganization: string | null;
  /** Embed: viewer (never more than read and use), designer or owner. */
  readonly role: AuthorizationRole | null;
  /** Embed: {collections: [{id, inheritRights}], datasets: [{id, rights}], dashboards: [{id, rights}]}. */
  readonly access: EmbedAccess | null;
  /** Embed: seconds without use after which the token expires, as a number or as a duration in words such as `10 minutes`; 0 means never, otherwise at least 120. */
  readonly inactivity_interval: number | null;
  /** Embed: grants what is linked to the integration, within the rights of the issuer, with the row filters of those links. */
  readonly integration_id: string | null;
  /** Embed: values of filter parameters by name, without the prefix `metadata.`. */
  readonly metadata: JsonObject | null;
  /** Api: what the token is for, in more words. */
  readonly description: string | null;
  /** Api: the addresses and networks from which it is accepted; from any if the list is empty. */
  readonly ip: readonly string[] | null;
  /** Embed: shows the newest version of each dashboard in this environment; a dashboard without one does not exist for the token. */
  readonly environment: string | null;
  /** Sustained requests per second of this token, instead of INLAY_RATE_LIMIT; set by an Organization Owner. */
  readonly rate_limit: number | null;
  /** Embed: filters, combined with AND. Row filters limit the visible rows; the response lists all other filters in `warnings`. */
  readonly filters: readonly RowFilter[] | null;
  /** Embed: values of filter parameters by name: the value, `{value, sticky?, sensitive?}`, or `{clear: true}` for none. */
  readonly parameter_overrides: JsonObject | null;
  /** Embed: connection settings that replace those of accounts, by account id: {host, port, scope, identifier, token, properties}. `database`, `user` and `password` are accepted for scope, identifier and token; `schema` and `base_url` are properties. */
  readonly account_overrides: JsonObject | '********' | null;
  /** Embed: theme. */
  readonly theme: JsonObject | null;
  /** Embed: custom CSS. */
  readonly css: string | null;
  /** Embed: ids of columns that do not exist for it. */
  readonly hidden_columns: readonly string[] | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides: readonly string[] | null;
  /** Embed: settings of questions. Stored, without effect yet. */
  readonly iq: JsonObject | null;
  /** Embed: language, such as `en` or `nl-BE`. */
  readonly locale_id: string | null;
  /** Embed: ISO 4217 currency code. */
  readonly currency_id: string | null;
  /** Embed: IANA time zone. */
  readonly timezone_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type AuthorizationType = 'login' | 'api' | 'embed';

export type AuthorizationRole = 'viewer' | 'designer' | 'owner';

export type EmbedAccess = {
  readonly collections?: readonly {
    readonly id: string;
    readonly inheritRights: 'read' | 'use' | 'modify' | 'own';
  }[];
  readonly datasets?: readonly {
    readonly id: string;
    readonly rights: 'read' | 'use' | 'modify' | 'own';
  }[];
  readonly dashboards?: readonly {
    readonly id: string;
    readonly rights: 'read' | 'use' | 'modify' | 'own';
  }[];
};

export type RowFilter = {
  /** `having` narrows the groups of queries with a measure over the column, and never rows. Default: `"where"`. */
  readonly clause?: 'where' | 'having';
  /** With `where`: `global` is a row filter; `chart` narrows the queries of the item `chart_id`; `initialization` is the value with which filter items over the column start. Only a row filter bounds what may be seen. Default: `"global"`. */
  readonly origin?: 'global' | 'chart' | 'initialization';
  /** Id of an item of a dashboard; required with `chart`, and not allowed without. */
  readonly chart_id?: string;
  readonly securable_id?: string;
  readonly column_id?: string;
  readonly level?: number | null;
  readonly expression:
    | '? = ?'
    | '? != ?'
    | '? in ?'
    | '? not in ?'
    | '? like ?'
    | '? not like ?'
    | '? starts with ?'
    | '? not starts with ?'
    | '? ends with ?'
    | '? not ends with ?'
    | '? < ?'
    | '? <= ?'
    | '? > ?'
    | '? >= ?'
    | '? between ?'
    | '? is null'
    | '? is not null'
    | 'last_now'
    | '? last_now'
    | '? last_now ?'
    | 'to_date'
    | '? to_date'
    | '? to_date ?'
    | 'last_available'
    | '? last_available'
    | '? last_available ?'
    | 'last_completed'
    | '? last_completed'
    | '? last_completed ?'
    | 'next_now'
    | '? next_now'
    | '? next_now ?'
    | 'next_full'
    | '? next_full'
    | '? next_full ?'
    | 'ago'
    | '? ago'
    | '? ago ?'
    | 'more_than_ago'
    | '? more_than_ago'
    | '? more_than_ago ?'
    | 'WTD'
    | '? WTD'
    | '? WTD ?'
    | 'MTD'
    | '? MTD'
    | '? MTD ?'
    | 'QTD'
    | '? QTD'
    | '? QTD ?'
    | 'YTD'
    | '? YTD'
    | '? YTD ?';
  /** The column `{dataset_id, column_id, level}`, then the value, as data queries take them; instead of `securable_id`, `column_id`, `level` and `value`. */
  readonly parameters?: readonly Json[];
  /** Of a row filter: whether datasets that look up this one show only rows whose looked-up row is visible. Default: `true`. */
  readonly propagate?: boolean;
  /** A literal, a list, or `{parameter: "metadata.region", type, value}`. */
  readonly value?: Json;
};

/** What a create of authorization accepts. */
export type AuthorizationCreate = {
  /** `login` (with email and password), `api` or `embed`. */
  readonly type: AuthorizationType;
  /** When it expires, as a time or as a duration in words such as `24 hours`. Login: after INLAY_TOKEN_HOURS; embed: after 24 hours by default, at most a year. */
  readonly expiry?: string | null;
  /** Login: the address of the person. Embed: shown only. */
  readonly email?: string | null;
  /** Login: the password. */
  readonly password?: string | null;
  /** Embed: identifies the person in your product. */
  readonly username?: string | null;
  /** Embed: name of the person; api: what the token is for. */
  readonly name?: string | null;
  /** Separates people inside the organization; for a login or API token, the suborganization of the person. */
  readonly suborganization?: string | null;
  /** Embed: viewer (never more than read and use), designer or owner. */
  readonly role?: AuthorizationRole | null;
  /** Embed: {collections: [{id, inheritRights}], datasets: [{id, rights}], dashboards: [{id, rights}]}. */
  readonly access?: EmbedAccess | null;
  /** Embed: seconds without use after which the token expires, as a number or as a duration in words such as `10 minutes`; 0 means never, otherwise at least 120. */
  readonly inactivity_interval?: number | string | null;
  /** Embed: grants what is linked to the integration, within the rights of the issuer, with the row filters of those links. */
  readonly integration_id?: string | null;
  /** Embed: values of filter parameters by name, without the prefix `metadata.`. */
  readonly metadata?: JsonObject | null;
  /** Api: what the token is for, in more words. */
  readonly description?: string | null;
  /** Api: the addresses and networks from which it is accepted; from any if the list is empty. */
  readonly ip?: readonly string[] | null;
  /** Embed: shows the newest version of each dashboard in this environment; a dashboard without one does not exist for the token. */
  readonly environment?: string | null;
  /** Sustained requests per second of this token, instead of INLAY_RATE_LIMIT; set by an Organization Owner. */
  readonly rate_limit?: number | null;
  /** Embed: filters, combined with AND. Row filters limit the visible rows; the response lists all other filters in `warnings`. */
  readonly filters?: readonly RowFilter[] | null;
  /** Embed: values of filter parameters by name: the value, `{value, sticky?, sensitive?}`, or `{clear: true}` for none. */
  readonly parameter_overrides?: JsonObject | null;
  /** Embed: connection settings that replace those of accounts, by account id: {host, port, scope, identifier, token, properties}. `database`, `user` and `password` are accepted for scope, identifier and token; `schema` and `base_url` are properties. */
  readonly account_overrides?: JsonObject | '********' | null;
  /** Embed: theme. */
  readonly theme?: JsonObject | null;
  /** Embed: custom CSS. */
  readonly css?: string | null;
  /** Embed: ids of columns that do not exist for it. */
  readonly hidden_columns?: readonly string[] | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides?: readonly string[] | null;
  /** Embed: settings of questions. Stored, without effect yet. */
  readonly iq?: JsonObject | null;
  /** Embed: language, such as `en` or `nl-BE`. */
  readonly locale_id?: string | null;
  /** Embed: ISO 4217 currency code. */
  readonly currency_id?: string | null;
  /** Embed: IANA time zone. */
  readonly timezone_id?: string | null;
};

/** A key and token: a login, an API token, or an embed token. The `id` is the key; the token is shown only once. */
export type AuthorizationCreated = {
  /** Assigned by the service. */
  readonly id: string;
  /** `login` (with email and password), `api` or `embed`. */
  readonly type: AuthorizationType | null;
  /** The person; of an embed token its issuer. */
  readonly user_id: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it expires, as a time or as a duration in words such as `24 hours`. Login: after INLAY_TOKEN_HOURS; embed: after 24 hours by default, at most a year. */
  readonly expiry: string | null;
  /** When it was last used, to within ten seconds. */
  readonly last_used_at: string | null;
  /** Login: the address of the person. Embed: shown only. */
  readonly email: string | null;
  /** Embed: identifies the person in your product. */
  readonly username: string | null;
  /** Embed: name of the person; api: what the token is for. */
  readonly name: string | null;
  /** Separates people inside the organization; for a login or API token, the suborganization of the person. */
  readonly suborganization: string | null;
  /** Embed: viewer (never more than read and use), designer or owner. */
  readonly role: AuthorizationRole | null;
  /** Embed: {collections: [{id, inheritRights}], datasets: [{id, rights}], dashboards: [{id, rights}]}. */
  readonly access: EmbedAccess | null;
  /** Embed: seconds without use after which the token expires, as a number or as a duration in words such as `10 minutes`; 0 means never, otherwise at least 120. */
  readonly inactivity_interval: number | null;
  /** Embed: grants what is linked to the integration, within the rights of the issuer, with the row filters of those links. */
  readonly integration_id: string | null;
  /** Embed: values of filter parameters by name, without the prefix `metadata.`. */
  readonly metadata: JsonObject | null;
  /** Api: what the token is for, in more words. */
  readonly description: string | null;
  /** Api: the addresses and networks from which it is accepted; from any if the list is empty. */
  readonly ip: readonly string[] | null;
  /** Embed: shows the newest version of each dashboard in this environment; a dashboard without one does not exist for the token. */
  readonly environment: string | null;
  /** Sustained requests per second of this token, instead of INLAY_RATE_LIMIT; set by an Organization Owner. */
  readonly rate_limit: number | null;
  /** Embed: filters, combined with AND. Row filters limit the visible rows; the response lists all other filters in `warnings`. */
  readonly filters: readonly RowFilter[] | null;
  /** Embed: values of filter parameters by name: the value, `{value, sticky?, sensitive?}`, or `{clear: true}` for none. */
  readonly parameter_overrides: JsonObject | null;
  /** Embed: connection settings that replace those of accounts, by account id: {host, port, scope, identifier, token, properties}. `database`, `user` and `password` are accepted for scope, identifier and token; `schema` and `base_url` are properties. */
  readonly account_overrides: JsonObject | '********' | null;
  /** Embed: theme. */
  readonly theme: JsonObject | null;
  /** Embed: custom CSS. */
  readonly css: string | null;
  /** Embed: ids of columns that do not exist for it. */
  readonly hidden_columns: readonly string[] | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides: readonly string[] | null;
  /** Embed: settings of questions. Stored, without effect yet. */
  readonly iq: JsonObject | null;
  /** Embed: language, such as `en` or `nl-BE`. */
  readonly locale_id: string | null;
  /** Embed: ISO 4217 currency code. */
  readonly currency_id: string | null;
  /** Embed: IANA time zone. */
  readonly timezone_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
  /** The token; it is stored hashed and never shown again. */
  readonly token: string;
};

/** The identity of a person at the identity provider of their organization, by issuer and subject. Created by the first sign-in, or by an owner for an existing user. */
export type Identity = {
  /** Assigned by the service. */
  readonly id: string;
  /** The person. */
  readonly user_id: string | null;
  /** The issuer, exactly as the provider names it. */
  readonly issuer: string | null;
  /** The person at the provider: the claim `sub`. */
  readonly subject: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

/** What a create of identity accepts. */
export type IdentityCreate = {
  /** The person. */
  readonly user_id: string;
  /** The issuer, exactly as the provider names it. */
  readonly issuer: string;
  /** The person at the provider: the claim `sub`. */
  readonly subject: string;
};

/** A column of a dataset. */
export type Column = {
  /** Assigned by the service. */
  readonly id: string;
  /** The dataset; it is named here or by associating the column. */
  readonly securable_id: string | null;
  /** Type of its values. */
  readonly type: ColumnType | null;
  /** Meaning of its values. */
  readonly subtype: ColumnSubtype | null;
  /** Format used by the source. */
  readonly informat: string | null;
  /** Display format, as a d3 pattern. */
  readonly format: string | null;
  /** Position in the dataset, from 0. */
  readonly order: number | null;
  /** Name at the source; cannot be changed. */
  readonly source_name: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Description. */
  readonly description: LanguageMap | null;
  /** Other names, by which questions and key phrases find the column too. */
  readonly synonyms: LanguageLists | null;
  /** Formula of a derived column. */
  readonly expression: string | null;
  /** How its values are aggregated. */
  readonly aggregation_type: ColumnAggregationType | null;
  /** Whether its values are shown by level. */
  readonly hierarchy_enabled: boolean | null;
  /** Position at the source, from 0. */
  readonly source_order: number | null;
  /** Hidden in user interfaces. */
  readonly hidden: boolean | null;
  /** Colour. */
  readonly color: string | null;
  /** ISO 4217 currency code. */
  readonly currency_id: string | null;
  /** Finest level shown. */
  readonly lowestLevel: number | null;
  /** Coarsest level shown. */
  readonly highestLevel: number | null;
  /** About how many distinct values there are: an estimate. */
  readonly cardinality: number | null;
  /** Smallest value. */
  readonly minimum: string | null;
  /** Largest value. */
  readonly maximum: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type ColumnType = 'numeric' | 'datetime' | 'hierarchy' | 'spatial';

export type ColumnSubtype =
  | 'topography'
  | 'coordinates'
  | 'currency'
  | 'duration'
  | 'date'
  | 'datetime'
  | 'ip_address'
  | 'interval';

export type LanguageLists = { readonly [name: string]: readonly string[] };

export type ColumnAggregationType =
  | 'sum'
  | 'cumulativesum'
  | 'average'
  | 'median'
  | 'min'
  | 'max'
  | 'stddev'
  | 'rate'
  | 'count'
  | 'distinctcount';

/** What a create of column accepts. */
export type ColumnCreate = {
  /** The dataset; it is named here or by associating the column. */
  readonly securable_id?: string | null;
  /** Type of its values. */
  readonly type: ColumnType;
  /** Meaning of its values. */
  readonly subtype?: ColumnSubtype | null;
  /** Format used by the source. */
  readonly informat?: string | null;
  /** Display format, as a d3 pattern. */
  readonly format?: string | null;
  /** Position in the dataset, from 0. Default: `0`. */
  readonly order?: number | null;
  /** Name at the source; cannot be changed. */
  readonly source_name?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Other names, by which questions and key phrases find the column too. */
  readonly synonyms?: LanguageLists | null;
  /** Formula of a derived column. */
  readonly expression?: string | null;
  /** How its values are aggregated. Default: `"sum"`. */
  readonly aggregation_type?: ColumnAggregationType | null;
  /** Whether its values are shown by level. Default: `false`. */
  readonly hierarchy_enabled?: boolean | null;
  /** Position at the source, from 0. */
  readonly source_order?: number | null;
  /** Hidden in user interfaces. Default: `false`. */
  readonly hidden?: boolean | null;
  /** Colour. */
  readonly color?: string | null;
  /** ISO 4217 currency code. */
  readonly currency_id?: string | null;
  /** Finest level shown. */
  readonly lowestLevel?: number | null;
  /** Coarsest level shown. */
  readonly highestLevel?: number | null;
  /** About how many distinct values there are: an estimate. */
  readonly cardinality?: number | null;
  /** Smallest value. */
  readonly minimum?: string | null;
  /** Largest value. */
  readonly maximum?: string | null;
};

/** What an update of column accepts. */
export type ColumnUpdate = {
  /** Type of its values. */
  readonly type?: ColumnType;
  /** Meaning of its values. */
  readonly subtype?: ColumnSubtype | null;
  /** Format used by the source. */
  readonly informat?: string | null;
  /** Display format, as a d3 pattern. */
  readonly format?: string | null;
  /** Position in the dataset, from 0. */
  readonly order?: number | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Description. */
  readonly description?: LanguageMap | null;
  /** Other names, by which questions and key phrases find the column too. */
  readonly synonyms?: LanguageLists | null;
  /** Formula of a derived column. */
  readonly expression?: string | null;
  /** How its values are aggregated. */
  readonly aggregation_type?: ColumnAggregationType | null;
  /** Whether its values are shown by level. */
  readonly hierarchy_enabled?: boolean | null;
  /** Position at the source, from 0. */
  readonly source_order?: number | null;
  /** Hidden in user interfaces. */
  readonly hidden?: boolean | null;
  /** Colour. */
  readonly color?: string | null;
  /** ISO 4217 currency code. */
  readonly currency_id?: string | null;
  /** Finest level shown. */
  readonly lowestLevel?: number | null;
  /** Coarsest level shown. */
  readonly highestLevel?: number | null;
  /** About how many distinct values there are: an estimate. */
  readonly cardinality?: number | null;
  /** Smallest value. */
  readonly minimum?: string | null;
  /** Largest value. */
  readonly maximum?: string | null;
};

/** A formula of a dataset; queries use it as a measure. */
export type Formula = {
  /** Assigned by the service. */
  readonly id: string;
  /** The dataset; it is named here or by associating the formula. */
  readonly securable_id: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** The formula, with the ids of columns in braces, such as `sum({…}) / count(*)`. */
  readonly expression: string | null;
  /** Type of its values. */
  readonly type: FormulaType | null;
  /** Display format, as a d3 pattern. */
  readonly format: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type FormulaType = 'numeric' | 'datetime' | 'hierarchy';

/** What a create of formula accepts. */
export type FormulaCreate = {
  /** The dataset; it is named here or by associating the formula. */
  readonly securable_id?: string | null;
  /** Name. */
  readonly name?: LanguageMap | null;
  /** The formula, with the ids of columns in braces, such as `sum({…}) / count(*)`. */
  readonly expression: string;
  /** Type of its values. Default: `"numeric"`. */
  readonly type?: FormulaType | null;
  /** Display format, as a d3 pattern. */
  readonly format?: string | null;
};

/** What an update of formula accepts. */
export type FormulaUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** The formula, with the ids of columns in braces, such as `sum({…}) / count(*)`. */
  readonly expression?: string;
  /** Type of its values. */
  readonly type?: FormulaType | null;
  /** Display format, as a d3 pattern. */
  readonly format?: string | null;
};

/** One level of a hierarchy column, counted from the root, with the name of that part of its values. */
export type Hierarchylevel = {
  /** Assigned by the service. */
  readonly id: string;
  /** The column; it is named here or by associating the level. */
  readonly column_id: string | null;
  /** Number of the level; 1 is the root. */
  readonly level: number | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

/** What a create of hierarchylevel accepts. */
export type HierarchylevelCreate = {
  /** The column; it is named here or by associating the level. */
  readonly column_id?: string | null;
  /** Number of the level; 1 is the root. */
  readonly level: number;
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** What an update of hierarchylevel accepts. */
export type HierarchylevelUpdate = {
  /** Number of the level; 1 is the root. */
  readonly level?: number;
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** A keyword for finding securables. */
export type Tag = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** The same as `name`; either may be sent, and a text here is the English one. */
  readonly tag: LanguageMap | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

/** What a create of tag accepts. */
export type TagCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** The same as `name`; either may be sent, and a text here is the English one. */
  readonly tag?: LanguageMap | null;
};

/** What an update of tag accepts. */
export type TagUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** The same as `name`; either may be sent, and a text here is the English one. */
  readonly tag?: LanguageMap | null;
};

/** A set of securables that inherit the rights on the collection. */
export type Collection = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of collection accepts. */
export type CollectionCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** What an update of collection accepts. */
export type CollectionUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** A public read-only view of a dashboard at `/s/<slug>`: it shows what its creator may read at that moment, limited by the row filters of the creator and of the share. */
export type Share = {
  /** Assigned by the service. */
  readonly id: string;
  /** The dashboard; it is named here or by associating the share. */
  readonly securable_id: string | null;
  /** Generated by the service; cannot be guessed. */
  readonly slug: string | null;
  /** Whether the share can be opened. */
  readonly active: boolean | null;
  /** When it expires. */
  readonly expiry: string | null;
  /** Row filters for everyone who opens the share. */
  readonly filters: readonly RowFilter[] | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of share accepts. */
export type ShareCreate = {
  /** The dashboard; it is named here or by associating the share. */
  readonly securable_id?: string | null;
  /** Whether the share can be opened. Default: `true`. */
  readonly active?: boolean | null;
  /** When it expires. */
  readonly expiry?: string | null;
  /** Row filters for everyone who opens the share. Default: `[]`. */
  readonly filters?: readonly RowFilter[] | null;
};

/** What an update of share accepts. */
export type ShareUpdate = {
  /** Whether the share can be opened. */
  readonly active?: boolean | null;
  /** When it expires. */
  readonly expiry?: string | null;
  /** Row filters for everyone who opens the share. */
  readonly filters?: readonly RowFilter[] | null;
};

/** A place in your product where securables are shown. */
export type Integration = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** Short name in URLs. */
  readonly slug: string | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides: readonly string[] | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of integration accepts. */
export type IntegrationCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Short name in URLs. */
  readonly slug?: string | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. Default: `[]`. */
  readonly feature_overrides?: readonly string[] | null;
};

/** What an update of integration accepts. */
export type IntegrationUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
  /** Short name in URLs. */
  readonly slug?: string | null;
  /** Features of embed tokens to add; a leading `!` takes one away. Known are `view`, `export_csv`, `export_xlsx`, `export_ndjson`, `export_pdf`, `export_png`, `export_svg`, `drill`, `edit_filters`, `variant_personal`, `variant_tenant`, `edit_limited`, `edit_full`, `formulas`, `ai_questions`, `share`; `warnings` names others. */
  readonly feature_overrides?: readonly string[] | null;
};

/** Filters that apply to every embed token of the organization. */
export type Embedfiltergroup = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: LanguageMap | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

/** What a create of embedfiltergroup accepts. */
export type EmbedfiltergroupCreate = {
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** What an update of embedfiltergroup accepts. */
export type EmbedfiltergroupUpdate = {
  /** Name. */
  readonly name?: LanguageMap | null;
};

/** Times at which a securable is exported, and its recipients. */
export type Schedule = {
  /** Assigned by the service. */
  readonly id: string;
  /** The dataset or dashboard. */
  readonly securable_id: string | null;
  /** Name. */
  readonly name: string | null;
  /** When, as a cron expression of five fields. */
  readonly cron: string | null;
  /** IANA time zone name. */
  readonly timezone_id: string | null;
  /** Format of the export. */
  readonly format: ScheduleFormat | null;
  /** E-mail addresses. */
  readonly recipients: readonly string[] | null;
  /** Whether it runs. */
  readonly active: boolean | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type ScheduleFormat = 'pdf' | 'png' | 'csv' | 'xlsx';

/** What a create of schedule accepts. */
export type ScheduleCreate = {
  /** The dataset or dashboard. */
  readonly securable_id: string;
  /** Name. */
  readonly name?: string | null;
  /** When, as a cron expression of five fields. */
  readonly cron?: string | null;
  /** IANA time zone name. Default: `"UTC"`. */
  readonly timezone_id?: string | null;
  /** Format of the export. Default: `"pdf"`. */
  readonly format?: ScheduleFormat | null;
  /** E-mail addresses. Default: `[]`. */
  readonly recipients?: readonly string[] | null;
  /** Whether it runs. Default: `false`. */
  readonly active?: boolean | null;
};

/** What an update of schedule accepts. */
export type ScheduleUpdate = {
  /** Name. */
  readonly name?: string | null;
  /** When, as a cron expression of five fields. */
  readonly cron?: string | null;
  /** IANA time zone name. */
  readonly timezone_id?: string | null;
  /** Format of the export. */
  readonly format?: ScheduleFormat | null;
  /** E-mail addresses. */
  readonly recipients?: readonly string[] | null;
  /** Whether it runs. */
  readonly active?: boolean | null;
};

/** Contents of a dashboard beside its current ones: previous contents, stored at each update, and drafts. A draft is visible to its writer alone. To restore or publish contents, update the dashboard with them. */
export type Dashboardversion = {
  /** Assigned by the service. */
  readonly id: string;
  /** `draft`, or `published` for previous contents, which the service stores. */
  readonly state: DashboardversionState | null;
  /** The dashboard. A writer has one draft of it. */
  readonly securable_id: string | null;
  /** The contents, `version` first. A draft without any gets those that the dashboard has now. */
  readonly contents: JsonObject | null;
  /** Draft: the `ETag` of the dashboard from which it began, by default that of now. Sent as `If-Match` when the dashboard is updated, it is refused if the dashboard has changed since. */
  readonly based_on: string | null;
  /** Draft: a change that undoes the whole draft: applied to its contents, it gives those of the dashboard at `based_on`. Editors merge a draft by it after somebody else has updated the dashboard. The service does not apply it. */
  readonly inverse: readonly JsonObject[] | null;
  /** Draft: the undo history of the editor, oldest step first. The service checks its form and does not apply it. */
  readonly steps: readonly DraftStep[] | null;
  /** Name of the environment in which embed tokens show it. */
  readonly environment: string | null;
  /** Name. */
  readonly name: string | null;
  /** Draft: the person who writes it; null for an embed token. */
  readonly user_id: string | null;
  /** Draft: suborganization of its writer. */
  readonly suborganization: string | null;
  /** Draft: `username` of the embed token that writes it. */
  readonly username: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** What somebody should look at; only where there is something. */
  readonly warnings?: readonly Warning[];
  /** How many warnings there are in all. */
  readonly warnings_count?: number;
};

export type DashboardversionState = 'draft' | 'published';

export type DraftStep = {
  readonly label?: string;
  readonly change: readonly JsonObject[];
  readonly inverse?: readonly JsonObject[];
  readonly at: string;
  readonly undone?: boolean;
};

/** What a create of dashboardversion accepts. */
export type DashboardversionCreate = {
  /** `draft`, or `published` for previous contents, which the service stores. Default: `"draft"`. */
  readonly state?: DashboardversionState | null;
  /** The dashboard. A writer has one draft of it. */
  readonly securable_id: string;
  /** The contents, `version` first. A draft without any gets those that the dashboard has now. */
  readonly contents?: JsonObject | null;
  /** Draft: the `ETag` of the dashboard from which it began, by default that of now. Sent as `If-Match` when the dashboard is updated, it is refused if the dashboard has changed since. */
  readonly based_on?: string | null;
  /** Draft: a change that undoes the whole draft: applied to its contents, it gives those of the dashboard at `based_on`. Editors merge a draft by it after somebody else has updated the dashboard. The service does not apply it. */
  readonly inverse?: readonly JsonObject[] | null;
  /** Draft: the undo history of the editor, oldest step first. The service checks its form and does not apply it. */
  readonly steps?: readonly DraftStep[] | null;
  /** Name. */
  readonly name?: string | null;
};

/** What an update of dashboardversion accepts. */
export type DashboardversionUpdate = {
  /** The contents, `version` first. A draft without any gets those that the dashboard has now. */
  readonly contents?: JsonObject | null;
  /** Draft: the `ETag` of the dashboard from which it began, by default that of now. Sent as `If-Match` when the dashboard is updated, it is refused if the dashboard has changed since. */
  readonly based_on?: string | null;
  /** Draft: a change that undoes the whole draft: applied to its contents, it gives those of the dashboard at `based_on`. Editors merge a draft by it after somebody else has updated the dashboard. The service does not apply it. */
  readonly inverse?: readonly JsonObject[] | null;
  /** Draft: the undo history of the editor, oldest step first. The service checks its form and does not apply it. */
  readonly steps?: readonly DraftStep[] | null;
  /** Name of the environment in which embed tokens show it. */
  readonly environment?: string | null;
  /** Name. */
  readonly name?: string | null;
};

/** A small picture, such as the thumbnail of a plugin. */
export type Image = {
  /** Assigned by the service. */
  readonly id: string;
  /** Name. */
  readonly name: string | null;
  /** Media type. */
  readonly media_type: ImageMediaType | null;
  /** The picture in base64, at most 512 KB. */
  readonly data: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** Its maker. */
  readonly user_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** What a create of image accepts. */
export type ImageCreate = {
  /** Name. */
  readonly name?: string | null;
  /** Media type. */
  readonly media_type: ImageMediaType;
  /** The picture in base64, at most 512 KB. */
  readonly data: string;
};

/** What an update of image accepts. */
export type ImageUpdate = {
  /** Name. */
  readonly name?: string | null;
  /** Media type. */
  readonly media_type?: ImageMediaType;
  /** The picture in base64, at most 512 KB. */
  readonly data?: string;
};

/** A language of ISO 639-1; read-only. */
export type Locale = {
  /** The UUID of version 5 of its code; the same in every installation. */
  readonly id: string;
  /** Its ISO code. */
  readonly code: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

/** A country of ISO 3166-1; read-only. */
export type Country = {
  /** The UUID of version 5 of its code; the same in every installation. */
  readonly id: string;
  /** Its ISO code. */
  readonly code: string | null;
  /** Name. */
  readonly name: LanguageMap | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

/** A font of the organization, which exports draw texts with where a theme names its family. Pages load their fonts themselves. */
export type Font = {
  /** Assigned by the service. */
  readonly id: string;
  /** Family, as the file and `font.fontFamily` of themes name it. */
  readonly name: string | null;
  /** Weight of the texts that it is for. */
  readonly weight: FontWeight | null;
  /** Style of the texts that it is for. */
  readonly style: FontStyle | null;
  /** A TrueType or OpenType file in base64, at most 1 MB, whose licence allows embedding. */
  readonly data: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type FontWeight = 'normal' | 'bold';

export type FontStyle = 'normal' | 'italic';

/** What a create of font accepts. */
export type FontCreate = {
  /** Family, as the file and `font.fontFamily` of themes name it. */
  readonly name: string;
  /** Weight of the texts that it is for. Default: `"normal"`. */
  readonly weight?: FontWeight | null;
  /** Style of the texts that it is for. Default: `"normal"`. */
  readonly style?: FontStyle | null;
  /** A TrueType or OpenType file in base64, at most 1 MB, whose licence allows embedding. */
  readonly data: string;
};

/** What an update of font accepts. */
export type FontUpdate = {
  /** Family, as the file and `font.fontFamily` of themes name it. */
  readonly name?: string;
  /** Weight of the texts that it is for. */
  readonly weight?: FontWeight | null;
  /** Style of the texts that it is for. */
  readonly style?: FontStyle | null;
  /** A TrueType or OpenType file in base64, at most 1 MB, whose licence allows embedding. */
  readonly data?: string;
};

/** Work that goes on after its request was answered, such as an export that was sent with `Prefer: respond-async`. It is deleted with its file 7 days after it has ended. */
export type Task = {
  /** Assigned by the service. */
  readonly id: string;
  /** What was requested. */
  readonly type: TaskType | null;
  /** State; only `cancelled` can be set. */
  readonly status: TaskStatus | null;
  /** The dashboard of an export; null for queries. */
  readonly entity_id: string | null;
  /** When it was requested. */
  readonly requested_at: string | null;
  /** When the first attempt started. */
  readonly started_at: string | null;
  /** When it ended, whatever its status. */
  readonly completed_at: string | null;
  /** Progress in percent. */
  readonly progress: number | null;
  /** Attempts so far. */
  readonly attempts: number | null;
  /** Why it failed. */
  readonly error: TaskError | null;
  /** The file: the address from which its requester gets it with a GET request, and until when. It is refused once the requester no longer has the rights and row filters that it was made with. */
  readonly result: TaskResult | null;
  /** Who requested it. */
  readonly user_id: string | null;
  /** Suborganization of the requester. */
  readonly suborganization: string | null;
  /** The organization it belongs to. */
  readonly organization_id: string | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type TaskType = 'export' | 'data';

export type TaskStatus = 'open' | 'inprogress' | 'completed' | 'failed' | 'cancelled';

export type TaskError = {
  readonly code: string;
  readonly message: string;
  readonly validation?: JsonObject;
};

export type TaskResult = {
  readonly downloadUrl: string;
  readonly expiresAt: string;
};

/** What an update of task accepts. */
export type TaskUpdate = {
  /** State; only `cancelled` can be set. */
  readonly status?: TaskStatus | null;
};

/** Keeps the rows of a remote dataset in the columnar engine and refreshes them. Queries read the copy once the first refresh has succeeded; until then, and whenever the copy cannot answer, they read the source. */
export type Acceleration = {
  /** Assigned by the service. */
  readonly id: string;
  /** The dataset. A dataset has at most one acceleration. */
  readonly securable_id: string | null;
  /** What a refresh reads. `full`: all rows. `delta`: new and changed rows, after a first full refresh. `full-delta`: the same, with a full refresh every `full_load_every`. */
  readonly load_type: AccelerationLoadType | null;
  /** What a delta may find. `insert`: new rows, by `created_at_column_id`. `insert-update`: also changed rows, by key and `updated_at_column_id`. `insert-update-delete`: also rows with a value in `deleted_at_column_id`, which then count as deleted in every query of the dataset. */
  readonly data_storage_strategy: AccelerationDataStorageStrategy | null;
  /** One to three columns that together identify a row. */
  readonly primary_key_column_ids: readonly string[] | null;
  /** The column with the time at which a row was created. */
  readonly created_at_column_id: string | null;
  /** The column with the time at which a row was last changed. */
  readonly updated_at_column_id: string | null;
  /** The column with the time at which a row was deleted; null in other rows. */
  readonly deleted_at_column_id: string | null;
  /** Seconds after their time within which rows may still appear at the source. `insert` reads rows only once they are this old; the other strategies read this much of the time before the last refresh again. */
  readonly late_rows_seconds: number | null;
  /** How often it is refreshed; null for refreshes on request only. */
  readonly schedule: Frequency | null;
  /** How often a `full-delta` acceleration reads all rows again. */
  readonly full_load_every: Frequency | null;
  /** Rollups that are switched on, at most 8: ids from `rollup_proposals` or `rollups`. A refresh starts that writes those which the copy does not have. An id that is left out is switched off at once; sending the list switches stopped rollups on again. */
  readonly rollup_ids: readonly string[] | null;
  /** Path of the new address for refreshes, in the answer to the request that created it; null in all other answers, since it is stored hashed. */
  readonly webhook_path: string | null;
  /** When the address for refreshes was created; null if there is none. */
  readonly webhook_set_at: string | null;
  /** `pending`: no refresh has succeeded yet. `refreshing`: a refresh is in progress. `ready`: the last refresh succeeded. `failed`: the last refresh failed; an earlier copy stays in use. */
  readonly status: AccelerationStatus | null;
  /** The time up to which the copy has the rows of the source. */
  readonly data_as_of: string | null;
  /** Number of rows of the copy. */
  readonly rows: number | null;
  /** Size of the copy on disk, in bytes. */
  readonly bytes: number | null;
  /** Number of bytes that the refresh in progress has read; null if none is in progress. */
  readonly bytes_read: number | null;
  /** Number of queries that the copy has answered. */
  readonly hits: number | null;
  /** The rollups that the copy has, with their numbers of rows. */
  readonly rollups: readonly Rollup[] | null;
  /** The newest time in each column with times of the copy. A range that ends later contains all later rows. */
  readonly newest_times: readonly NewestTime[] | null;
  /** Number of queries that read rollups of the copy. */
  readonly rollup_hits: number | null;
  /** Rollups that would answer recent queries, with the expected gain. They are not written until switched on. */
  readonly rollup_proposals: readonly RollupProposal[] | null;
  /** Rollups that were switched off because an answer differed from that of the copy. */
  readonly rollups_stopped: readonly StoppedRollup[] | null;
  /** When the last successful refresh started. */
  readonly last_refresh_at: string | null;
  /** When the last successful full refresh started. */
  readonly last_full_at: string | null;
  /** Why the last refresh failed; null if it succeeded. */
  readonly last_error: AccelerationError | null;
  /** Up to three keys that several rows have, as lists of texts, if this is why the last refresh failed. */
  readonly doubled_keys: readonly (readonly (string | null)[])[] | null;
  /** When it is refreshed next; null if no refresh is planned. */
  readonly next_run_at: string | null;
  /** Failed refreshes since the last success. */
  readonly failures: number | null;
  /** When it was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
};

export type AccelerationLoadType = 'full' | 'delta' | 'full-delta';

export type AccelerationDataStorageStrategy = 'insert' | 'insert-update' | 'insert-update-delete';

export type Frequency = {
  readonly frequency_unit: 'minutes' | 'hours' | 'days' | 'weeks';
  readonly frequency_quantity: number;
} | null;

export type AccelerationStatus = 'pending' | 'refreshing' | 'ready' | 'failed';

export type Rollup = {
  /** Identifies the rollup; equal rollups have equal ids. */
  readonly id: string;
  /** Number of rows of the rollup. */
  readonly rows: number;
};

export type NewestTime = {
  readonly source_name: string;
  readonly newest: string;
};

export type RollupProposal = {
  /** Identifies the rollup; equal rollups have equal ids. */
  readonly id: string;
  /** Columns that it groups by; times by a level (1 year … 5 day) in a time zone. */
  readonly group_by: readonly {
    readonly column_id: string;
    readonly level: number | null;
    readonly timezone_id: string | null;
  }[];
  /** What it computes. `column_id` is null for the number of rows and for formulas. */
  readonly measures: readonly {
    readonly type: 'rows' | 'count' | 'sum' | 'min' | 'max' | 'average' | 'stddev';
    readonly column_id: string | null;
  }[];
  /** Number of rows of the rollup. */
  readonly rows: number;
  /** Number of rows of the copy. */
  readonly copy_rows: number;
  /** Number of recent queries of the copy that it would answer. */
  readonly queries: number;
  /** Share of the recent queries of the copy that it would answer, 0 to 1. */
  readonly share: number;
};

export type StoppedRollup = {
  /** Identifies the rollup; equal rollups have equal ids. */
  readonly id: string;
  readonly stopped_at: string;
};

export type AccelerationError = {
  readonly code: string;
  readonly message: string;
};

/** What a create of acceleration accepts. */
export type AccelerationCreate = {
  /** The dataset. A dataset has at most one acceleration. */
  readonly securable_id: string;
  /** What a refresh reads. `full`: all rows. `delta`: new and changed rows, after a first full refresh. `full-delta`: the same, with a full refresh every `full_load_every`. Default: `"full"`. */
  readonly load_type?: AccelerationLoadType | null;
  /** What a delta may find. `insert`: new rows, by `created_at_column_id`. `insert-update`: also changed rows, by key and `updated_at_column_id`. `insert-update-delete`: also rows with a value in `deleted_at_column_id`, which then count as deleted in every query of the dataset. Default: `"insert"`. */
  readonly data_storage_strategy?: AccelerationDataStorageStrategy | null;
  /** One to three columns that together identify a row. Default: `[]`. */
  readonly primary_key_column_ids?: readonly string[] | null;
  /** The column with the time at which a row was created. */
  readonly created_at_column_id?: string | null;
  /** The column with the time at which a row was last changed. */
  readonly updated_at_column_id?: string | null;
  /** The column with the time at which a row was deleted; null in other rows. */
  readonly deleted_at_column_id?: string | null;
  /** Seconds after their time within which rows may still appear at the source. `insert` reads rows only once they are this old; the other strategies read this much of the time before the last refresh again. Default: `60`. */
  readonly late_rows_seconds?: number | null;
  /** How often it is refreshed; null for refreshes on request only. */
  readonly schedule?: Frequency | null;
  /** How often a `full-delta` acceleration reads all rows again. */
  readonly full_load_every?: Frequency | null;
  /** Rollups that are switched on, at most 8: ids from `rollup_proposals` or `rollups`. A refresh starts that writes those which the copy does not have. An id that is left out is switched off at once; sending the list switches stopped rollups on again. Default: `[]`. */
  readonly rollup_ids?: readonly string[] | null;
  /** Sent as true: creates an address for refreshes, which the answer has once as `webhook_path`; the previous address ends. Sent as false: ends the address. */
  readonly webhook?: boolean | null;
};

/** What an update of acceleration accepts. */
export type AccelerationUpdate = {
  /** What a refresh reads. `full`: all rows. `delta`: new and changed rows, after a first full refresh. `full-delta`: the same, with a full refresh every `full_load_every`. */
  readonly load_type?: AccelerationLoadType | null;
  /** What a delta may find. `insert`: new rows, by `created_at_column_id`. `insert-update`: also changed rows, by key and `updated_at_column_id`. `insert-update-delete`: also rows with a value in `deleted_at_column_id`, which then count as deleted in every query of the dataset. */
  readonly data_storage_strategy?: AccelerationDataStorageStrategy | null;
  /** One to three columns that together identify a row. */
  readonly primary_key_column_ids?: readonly string[] | null;
  /** The column with the time at which a row was created. */
  readonly created_at_column_id?: string | null;
  /** The column with the time at which a row was last changed. */
  readonly updated_at_column_id?: string | null;
  /** The column with the time at which a row was deleted; null in other rows. */
  readonly deleted_at_column_id?: string | null;
  /** Seconds after their time within which rows may still appear at the source. `insert` reads rows only once they are this old; the other strategies read this much of the time before the last refresh again. */
  readonly late_rows_seconds?: number | null;
  /** How often it is refreshed; null for refreshes on request only. */
  readonly schedule?: Frequency | null;
  /** How often a `full-delta` acceleration reads all rows again. */
  readonly full_load_every?: Frequency | null;
  /** Rollups that are switched on, at most 8: ids from `rollup_proposals` or `rollups`. A refresh starts that writes those which the copy does not have. An id that is left out is switched off at once; sending the list switches stopped rollups on again. */
  readonly rollup_ids?: readonly string[] | null;
  /** Sent as true: refreshes now. Sent as false: cancels the refresh that is in progress or requested. Null changes nothing. */
  readonly refresh?: boolean | null;
  /** Sent as true: creates an address for refreshes, which the answer has once as `webhook_path`; the previous address ends. Sent as false: ends the address. */
  readonly webhook?: boolean | null;
};
