import { apiVersion } from '@inlay/contract';
/** A kind of problem: its HTTP status, message, and text for the docs. */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly meaning: string;
}

/** Every error of this service. The docs page of errors is generated from this table. */
export const catalogue = {
  http_invalid: {
    status: 400,
    message: 'This is not a valid HTTP/1.1 request.',
    meaning: 'The request line or a header cannot be parsed, or the Host header is missing.',
  },
  json_invalid: {
    status: 400,
    message: 'The body is not valid JSON.',
    meaning: 'The body must be one JSON object in UTF-8.',
  },
  body_invalid: {
    status: 400,
    message: 'The body is not a valid request object.',
    meaning: 'An envelope member is missing, unknown or of the wrong type.',
  },
  operation_unknown: {
    status: 400,
    message:
      'The operation is ambiguous. Send "action" (create, get, update, delete, associate, dissociate, validate), or a body of one of these shapes: {find} searches, {id, resource} dissociates, {id, properties} updates, {properties} creates.',
    meaning: 'Neither `action`, the HTTP method nor the shape of the body names an operation of this resource.',
  },
  validation_failed: {
    status: 400,
    message: 'Some fields are invalid; "validation" lists them.',
    meaning: 'Several kinds of error at once, or a value of the wrong type or out of range.',
  },
  field_unknown: {
    status: 400,
    message: 'A field is unknown; "validation" names it.',
    meaning: '`properties` has a member that the resource does not have.',
  },
  field_read_only: {
    status: 400,
    message: 'A field is read-only; "validation" names it.',
    meaning: 'Only the service sets this field, or this operation cannot set it.',
  },
  reference_unknown: {
    status: 400,
    message: 'A referenced record does not exist; "validation" names the field.',
    meaning: 'The referenced record does not exist, or the caller may not see it.',
  },
  find_invalid: {
    status: 400,
    message: 'The search is invalid; "validation" lists the errors.',
    meaning: 'A member of `find` is unknown, has the wrong type or exceeds its limit.',
  },
  find_too_long: {
    status: 400,
    message: 'The search took too long. Narrow it down with "where", or use fewer patterns and includes.',
    meaning: 'The search would have read too many records. Nothing was changed.',
  },
  answer_too_large: {
    status: 400,
    message:
      'The answer would be too large. Ask for fewer records with "limit" and "offset", or for fewer fields with "attributes".',
    meaning: 'The sizes of the records are summed before the first byte is sent; INLAY_ANSWER_MB sets the limit.',
  },
  association_unknown: {
    status: 400,
    message: 'This resource has no such association; "validation" lists those it has.',
    meaning: 'The resource has no association with this `role`.',
  },
  association_required: {
    status: 400,
    message: 'This association cannot be removed or moved.',
    meaning: 'The record cannot exist without it; delete the record instead.',
  },
  credentials_conflict: {
    status: 400,
    message: 'The body and the Authorization header carry different credentials. Send one pair.',
    meaning: 'A request has one caller. Remove the credentials from either the body or the header.',
  },
  sso_config_exists: {
    status: 400,
    message: 'This organization already has an SSO configuration. Update or delete that one.',
    meaning: 'An organization has at most one identity provider.',
  },
  acceleration_exists: {
    status: 400,
    message: 'This dataset already has an acceleration. Update or delete that one.',
    meaning: 'A dataset has at most one acceleration.',
  },
  acceleration_failed: {
    status: 400,
    message: 'The rows of the source cannot be copied as the acceleration says.',
    meaning: 'Only in last_error of an acceleration, whose message says what to change.',
  },
  sso_not_verified: {
    status: 400,
    message: 'E-mail and password login can be disabled only after one successful login through this configuration.',
    meaning:
      'Otherwise a wrong configuration would lock everybody out. Sign in once at `/sso/<organization id>/test`, then disable passwords.',
  },
  last_owner: {
    status: 400,
    message: 'This would leave the record without an owner. Make somebody else an owner first.',
    meaning:
      'A record must keep at least one owner. To delete a user, name the new owner in `properties.transfer_to`, or use `inlay user transfer`.',
  },
  already_taken: {
    status: 400,
    message: 'Another record already has this value; "validation" names it.',
    meaning: 'The value must be unique, such as a slug or an e-mail address.',
  },
  draft_exists: {
    status: 400,
    message: 'You already have a draft of this dashboard.',
    meaning:
      'A person, or an end user of embed tokens, has one draft of a dashboard: search it (`state`, `securable_id`) and update it.',
  },
  in_use: {
    status: 400,
    message: 'Other records depend on this one; "validation" counts them.',
    meaning: 'First delete or move the records that depend on this one.',
  },
  task_finished: {
    status: 400,
    message: 'The task has ended already.',
    meaning: 'Only a task whose status is `open` or `inprogress` can be cancelled.',
  },
  rights_exceeded: {
    status: 400,
    message: 'An embed token cannot grant more than its issuer holds; "validation" names each place.',
    meaning:
      'A token grants at most the rights of its issuer. Ask an owner of the record for the right, or lower it in `access`.',
  },
  ai_disabled: {
    status: 400,
    message:
      'AI charts are disabled for this organization. An organization owner can enable them with flag_experimental_ai.',
    meaning:
      'AI charts may send names and types of columns to an AI provider, so each organization has to enable them.',
  },
  aichart_impossible: {
    status: 400,
    message:
      'The dataset has no columns for a chart or filter of this kind; "validation" lists the columns that it has.',
    meaning: 'The dataset lacks a column of the required type, such as a date for a date filter.',
  },
  iqformula_unreadable: {
    status: 400,
    message:
      'The text could not be read as a formula; "validation" says what was not understood, and has an example that works.',
    meaning:
      'Words of the text name no column or computation of the datasets, or a formula cannot compute it. Without `dataset_ids`, several datasets may fit the text: name the one that is meant.',
  },
  schedule_unavailable: {
    status: 400,
    message: 'Schedules do not run yet, so a schedule cannot be active. Send "active": false.',
    meaning: 'Schedules are stored and validated, but the service does not run them yet.',
  },
  sso_code_invalid: {
    status: 400,
    message: 'The sign-in code is wrong, already used or older than a minute. Sign in again.',
    meaning: 'POST /sso/token accepts each code once, with the verifier of the page that requested it.',
  },
  password_login_disabled: {
    status: 400,
    message: 'People of this organization sign in with their identity provider, so passwords cannot be set.',
    meaning: 'The SSO configuration of the organization sets `disable_email_password`.',
  },
  credentials_missing: {
    status: 401,
    message: 'No credentials. Send "key" and "token" in the body, or "Authorization: Bearer <key>:<token>".',
    meaning:
      'Every operation except creating a login needs credentials. Create an API token with a login, or use the key and token that the first start printed.',
  },
  credentials_invalid: {
    status: 401,
    message: 'The credentials are wrong, expired or revoked.',
    meaning: 'A wrong key, a wrong token, a wrong password and an unknown e-mail address all give the same error.',
  },
  forbidden: {
    status: 403,
    message: 'You may see this, but your role does not allow the operation.',
    meaning: 'The message names the role that is needed. Ask an owner of the record or of the organization for it.',
  },
  feature_off: {
    status: 403,
    message: 'A feature that this needs is off for this token.',
    meaning:
      'The message names the feature. `feature_overrides` of the token, its integration or the organization switches it on; see the reference of features.',
  },
  not_found: {
    status: 404,
    message: 'There is no such record, or you may not see it.',
    meaning: 'Both cases give the same error, so that callers cannot find out which records exist.',
  },
  resource_unknown: {
    status: 404,
    message: 'There is no such resource.',
    meaning: 'The path names no resource of this version; `/docs` lists the resources.',
  },
  version_unknown: {
    status: 404,
    message: `This service implements version ${apiVersion}: use /${apiVersion}/<resource>.`,
    meaning: 'The version is the first part of the path.',
  },
  route_unknown: {
    status: 404,
    message: `This path does not exist. The API is at /${apiVersion}/<resource>, its docs are at /docs.`,
    meaning: 'The service has no such path.',
  },
  demo_loading: {
    status: 503,
    message: 'The demo is still loading.',
    meaning: 'The demo is loaded once, after the first start; `/demo/state` shows the progress.',
  },
  elements_missing: {
    status: 503,
    message: 'The embed elements have not been built. Run "npm run build" where the service is installed.',
    meaning: 'A build generates the files of `/embed/`; `npm start` runs it automatically.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Send POST (or SEARCH, PATCH, DELETE, LINK, UNLINK) with a JSON body.',
    meaning:
      'The `Allow` header lists the methods of this path. Without an `action`, the method names the operation, which the resource must have.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    meaning: 'The client sent the request too slowly.',
  },
  precondition_failed: {
    status: 409,
    message: 'The record has changed since you read it. Read it again and send its ETag.',
    meaning: '`If-Match` does not name the current ETag of the record.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request. Use a new key.',
    meaning:
      'A key identifies one request: the same body from the same caller. Its response is stored for `INLAY_IDEMPOTENCY_HOURS`, a day by default.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is too large for this resource.',
    meaning:
      'Each resource has a limit: 1 MB, 2 MB for fonts, 6 MB for securables and 64 MB for pushed rows. Upload larger data as a file.',
  },
  media_type_unsupported: {
    status: 415,
    message: 'Send the body as application/json in UTF-8.',
    meaning: 'The API accepts only JSON.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Wait for the time in Retry-After.',
    meaning:
      'Each token has a sustained rate and a burst (`INLAY_RATE_LIMIT`, `INLAY_RATE_BURST`); logins have limits of their own.',
  },
  too_many_tasks: {
    status: 429,
    message: 'Your organization has too many open tasks. Wait until one has ended, or cancel one.',
    meaning: 'An organization may have at most 100 open tasks.',
  },
  task_quota_exceeded: {
    status: 429,
    message: 'The files of tasks take up all the space of your organization. Each is deleted after 7 days.',
    meaning:
      '`INLAY_TASK_FILES_MB` limits the disk space for the files of the tasks of one organization. Send the request without `Prefer: respond-async`, or ask the operator for more.',
  },
  header_too_large: {
    status: 431,
    message: 'The headers are too large.',
    meaning: 'The headers may have at most 16 KB in total.',
  },
  internal: {
    status: 500,
    message: 'Internal error. Please report the request_id.',
    meaning: 'A defect of the service, not of the request. The log has the details under the request id.',
  },
  overloaded: {
    status: 503,
    message: 'The service is overloaded. Try again after Retry-After.',
    meaning: 'The service rejected the request early to keep other requests fast.',
  },
  starting: {
    status: 503,
    message: 'This instance is starting. Try again after Retry-After.',
    meaning: 'The store is being opened, or migrated after an upgrade. /livez already answers 200.',
  },
  stopping: {
    status: 503,
    message: 'This instance is stopping. Try again.',
    meaning: 'Another instance or the restarted one will serve the request.',
  },
  store_unavailable: {
    status: 503,
    message: 'The store does not answer. Nothing was written; try again.',
    meaning: 'The database is unreachable or too slow.',
  },
  store_damaged: {
    status: 503,
    message:
      'The store is damaged where this request reads it. Nothing was written; the operator of the service can restore it.',
    meaning:
      'A page of the SQLite file is not what was written. Stop the service, run `inlay doctor`, and restore a backup. Requests that read other pages are answered.',
  },
  store_newer: {
    status: 503,
    message:
      'A newer version has changed the store, and this instance may no longer write to it. Nothing was written; another instance will serve the request.',
    meaning:
      'The store was migrated with --force while this instance ran. It still reads; stop it, start the new version, and run "inlay doctor --repair".',
  },
  outcome_unknown: {
    status: 503,
    message:
      'The connection to the store broke before the write was confirmed, so it may or may not have been stored. Send the same request with the same Idempotency-Key.',
    meaning:
      'A retry with the same Idempotency-Key is safe: the write happens only once, even if the first attempt was stored.',
  },
  secret_key_missing: {
    status: 503,
    message:
      'This instance does not hold the key for a stored secret. The operator must add the key to INLAY_SECRET_KEY_PREVIOUS.',
    meaning: 'A key rotation is in progress, or a key was lost.',
  },
  query_invalid: {
    status: 400,
    message: 'The query is invalid; "validation" lists the errors.',
    meaning: 'A part of a data query is misspelled, missing or of the wrong type.',
  },
  dataset_unknown: {
    status: 400,
    message: 'The query names a dataset that does not exist or that you may not see.',
    meaning: 'A dataset that the caller may not see gives the same error as one that does not exist.',
  },
  column_unknown: {
    status: 400,
    message: 'The query names a column that does not exist.',
    meaning: 'A column that is hidden from an embed token does not exist for it.',
  },
  query_unanswerable: {
    status: 400,
    message: 'The query cannot be run in this form; "validation" names the place.',
    meaning: 'The query is well formed, but a formula, level, join, value or order does not match its columns.',
  },
  query_failed: {
    status: 400,
    message: 'The query failed on these rows.',
    meaning: 'The query cannot process a value in the rows, for example in a conversion or an overflow.',
  },
  query_too_large: {
    status: 400,
    message: 'The query needs more source rows than this service allows. Reduce it.',
    meaning: '`INLAY_SOURCE_ROWS` and `INLAY_SOURCE_MB` set the limits. Filter the rows, or group them at the source.',
  },
  row_filter_invalid: {
    status: 403,
    message: 'A row filter that applies to you is invalid, so no rows are shown.',
    meaning: 'A row filter, or a filter of an item or of groups, names a missing column or a value of the wrong type.',
  },
  row_filters_required: {
    status: 400,
    message:
      'This token could read datasets to which no row filter applies; "validation" names them. Add a filter, or have an owner of the dataset set shared_across_tenants.',
    meaning:
      'The organization has `require_row_filters` set, and the token could read a dataset without any row filter.',
  },
  parameter_missing: {
    status: 400,
    message: 'A row filter has a parameter without a value, so no rows are shown.',
    meaning: 'The token gives no value in `parameter_overrides`, and the filter has no default.',
  },
  rows_elsewhere: {
    status: 400,
    message: 'The rows of this dataset are at its source, so rows cannot be stored here.',
    meaning: 'Rows can be pushed or uploaded into datasets without an account.',
  },
  rows_changed: {
    status: 409,
    message: 'Another request stored rows in this dataset at the same time. Try again.',
    meaning: 'The service retried the write several times; other writes always came first.',
  },
  rows_invalid: {
    status: 400,
    message: 'The rows cannot be stored; "validation" names row and column.',
    meaning:
      'A cell does not fit its column, a row has the wrong length, or the file does not have the declared format.',
  },
  rows_missing: {
    status: 400,
    message: 'The dataset has no rows yet and no source to read them from.',
    meaning: 'Push rows, upload a file, or create the dataset from an account.',
  },
  rows_damaged: {
    status: 500,
    message: 'The stored rows of a dataset of this query are damaged. The operator of the service can restore them.',
    meaning:
      'A file of rows is not what was written. The log names dataset and file, as does `inlay doctor`. A whole copy of the file, such as that of a backup, heals the dataset without a restart.',
  },
  provider_unknown: {
    status: 400,
    message: 'This service has no connector for the provider of the account.',
    meaning: 'An account may name any provider, but only built-in providers and plugins can be connected to.',
  },
  account_inactive: {
    status: 400,
    message: 'The account is not active, so its data cannot be read. Set "active" to true.',
    meaning: 'While an account is inactive, queries over its datasets are refused.',
  },
  account_expired: {
    status: 400,
    message: 'The account has expired, so its data cannot be read. Change "expiry".',
    meaning: 'After its `expiry`, an account is treated as inactive.',
  },
  source_refused: {
    status: 400,
    message: 'The source cannot be read with these settings.',
    meaning: 'The account lacks a setting, or its `source_query` is not a single SELECT.',
  },
  source_failed: {
    status: 502,
    message: 'The data source failed.',
    meaning: 'The message names the cause: unreachable, wrong credentials, missing rights, a missing table.',
  },
  source_busy: {
    status: 503,
    message: 'The data source accepts no more queries at the moment.',
    meaning: 'Try again after Retry-After.',
  },
  source_timeout: {
    status: 504,
    message: 'The data source did not answer in time.',
    meaning: 'The query exceeded `INLAY_QUERY_TIMEOUT_S` or the timeout of the source.',
  },
  engine_failed: {
    status: 503,
    message: 'The engine failed while running the query.',
    meaning: 'The service retried the query once. Try again.',
  },
  engine_memory: {
    status: 507,
    message: 'The query needs more memory than this service gives to one query.',
    meaning:
      '`INLAY_ENGINE_MEMORY_MB` sets the limit. The service retried the query once, in a process of its own. Filter the rows, or ask for fewer groups.',
  },
  export_failed: {
    status: 503,
    message: 'The file could not be rendered. Request fewer items or a smaller size.',
    meaning: 'The rendering process failed or ran out of memory; the log has the cause.',
  },
  export_too_large: {
    status: 400,
    message:
      'The export is too large. Reduce the rows with a filter or a coarser level, request one item with item_id, or export the rows of a query, which has no such limit.',
    meaning: 'Files of a dashboard or an item have limits for rows, cells, marks, bytes and memory.',
  },
  disk_full: {
    status: 503,
    message: 'The disk of the service is full. Nothing was stored; try again after Retry-After.',
    meaning: 'There is not enough disk space for a file, rows or records. The operator must free some.',
  },
  disk_unwritable: {
    status: 503,
    message: 'The disk of the service cannot be written. Nothing was stored; try again after Retry-After.',
    meaning:
      'The data folder is read-only, or its disk fails. The operator must repair it; what is stored is still answered.',
  },
  quota_exceeded: {
    status: 400,
    message: 'The storage quota of your organization is used up. Delete datasets, or ask the operator for more.',
    meaning: '`INLAY_ORGANIZATION_MB` limits the disk space for the rows of one organization.',
  },
  plugin_refused: {
    status: 400,
    message: 'The plugin refused this account; "validation" has its message.',
    meaning: 'The plugin refused the account in its response to `/authorize` or `/exchange` (plugin protocol).',
  },
  plugin_failed: {
    status: 502,
    message: 'The plugin failed.',
    meaning:
      'The plugin is unreachable, or its response violates the plugin protocol. The message names the plugin and the cause.',
  },
  plugin_timeout: {
    status: 504,
    message: 'The plugin did not answer in time.',
    meaning: 'The message names the plugin.',
  },
  client_gone: {
    status: 503,
    message: 'The client closed the connection before the response was sent.',
    meaning: 'Only the log contains this error.',
  },
  deadline_passed: {
    status: 504,
    message: 'The response took longer than this service allows.',
    meaning:
      '`INLAY_QUERY_TIMEOUT_S` limits the time from the request to the last row. Reduce the query, or raise the limit.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ProblemCode = keyof typeof catalogue;

export const isProblemCode = (word: string): word is ProblemCode => Object.hasOwn(catalogue, word);
