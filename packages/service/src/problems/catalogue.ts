/** One kind of refusal or failure: its HTTP status, what a caller reads, and what the docs add. */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly meaning: string;
}

/** Every error this service answers with. The docs page of errors is generated from this table. */
export const catalogue = {
  http_invalid: {
    status: 400,
    message: 'This is not a request of HTTP/1.1.',
    meaning: 'The request line or a header cannot be read, or there is no Host.',
  },
  json_invalid: {
    status: 400,
    message: 'The body is not valid JSON.',
    meaning: 'The body must be one JSON object in UTF-8.',
  },
  body_invalid: {
    status: 400,
    message: 'The body does not have the form of a request.',
    meaning: 'An envelope member is missing, unknown or of the wrong type.',
  },
  operation_unknown: {
    status: 400,
    message:
      'The operation is not clear. Send "action" (create, get, update, delete, associate, dissociate), or a body of one of these shapes: {find} searches, {id, resource} dissociates, {id, properties} updates, {properties} creates.',
    meaning: 'Neither `action`, the HTTP method nor the shape of the body names an operation of this resource.',
  },
  validation_failed: {
    status: 400,
    message: 'Some of the content is not right; "validation" names each place.',
    meaning: 'Several kinds of fault at once, or a value of the wrong type or outside its bounds.',
  },
  field_unknown: {
    status: 400,
    message: 'A field is not known; "validation" names it.',
    meaning: 'A member of `properties` that the resource does not have.',
  },
  field_read_only: {
    status: 400,
    message: 'A field cannot be set; "validation" names it.',
    meaning: 'Only the service sets this field, or it cannot be set by this operation.',
  },
  reference_unknown: {
    status: 400,
    message: 'A reference names no record; "validation" names it.',
    meaning: 'The referenced record does not exist, or the caller may not see it.',
  },
  find_invalid: {
    status: 400,
    message: 'The search is not right; "validation" names each place.',
    meaning: 'A member of `find` is unknown, of the wrong type, or over its limit.',
  },
  find_too_long: {
    status: 400,
    message:
      'The search took longer than a search may. Narrow it down with "where", or use fewer patterns and includes.',
    meaning: 'It would have read too many records; nothing was changed.',
  },
  answer_too_large: {
    status: 400,
    message:
      'The answer would be too large. Ask for fewer records with "limit" and "offset", or for fewer fields with "attributes".',
    meaning: 'The sizes of the records are summed before the first byte is sent; INLAY_ANSWER_MB sets the limit.',
  },
  association_unknown: {
    status: 400,
    message: 'This resource has no such association; "validation" names those it has.',
    meaning: 'The `role` is not one this record can be associated through.',
  },
  association_required: {
    status: 400,
    message: 'This association cannot be removed or moved.',
    meaning: 'The record cannot exist without it; delete the record instead.',
  },
  credentials_conflict: {
    status: 400,
    message: 'The body and the Authorization header carry different credentials. Send one pair.',
    meaning: 'A request is made by one caller. Leave out the credentials in the body or those in the header.',
  },
  sso_config_exists: {
    status: 400,
    message: 'This organization already has an SSO configuration. Update or delete that one.',
    meaning: 'An organization has one identity provider at most.',
  },
  sso_not_verified: {
    status: 400,
    message: 'E-mail and password login can be disabled only after one successful login through this configuration.',
    meaning:
      'Otherwise a wrong configuration would lock everybody out. Sign in once at `/sso/<organization id>/test`, then disable passwords.',
  },
  last_owner: {
    status: 400,
    message: 'This would leave the record without an owner. Make somebody else owner first.',
    meaning:
      'A record keeps at least one owner. To delete a user, name who takes over in `properties.transfer_to`, or use `inlay user transfer`.',
  },
  already_taken: {
    status: 400,
    message: 'Another record already has this value; "validation" names it.',
    meaning: 'A value that must be unique, such as a slug or an e-mail address.',
  },
  in_use: {
    status: 400,
    message: 'Other records depend on this one; "validation" counts them.',
    meaning: 'Delete or move the records that depend on this one first.',
  },
  rights_exceeded: {
    status: 400,
    message: 'An embed token cannot grant more than its issuer holds; "validation" names each place.',
    meaning:
      'A token passes on the rights that its issuer holds, and no more. Ask an owner of the record for the right, or lower it in `access`.',
  },
  ai_disabled: {
    status: 400,
    message:
      'AI charts are switched off for this organization. An organization owner switches them on with flag_experimental_ai.',
    meaning: 'Names and types of columns may be sent to an AI provider, so each organization decides for itself.',
  },
  aichart_impossible: {
    status: 400,
    message: 'The dataset has no columns for a chart or filter of this kind; "validation" says what it offers.',
    meaning: 'The dataset has no column that the type needs, such as a date for a date filter.',
  },
  schedule_unavailable: {
    status: 400,
    message: 'Nothing runs schedules yet, so a schedule cannot be active. Send "active": false.',
    meaning: 'Schedules are stored and checked; no part of the service sends them yet.',
  },
  sso_code_invalid: {
    status: 400,
    message: 'The code of this sign-in is wrong, used or older than a minute. Sign in again.',
    meaning: 'POST /sso/token takes each code once, with the verifier of the page that asked for it.',
  },
  password_login_disabled: {
    status: 400,
    message: 'People of this organization sign in with their identity provider: there are no passwords to set.',
    meaning: 'The SSO configuration of the organization sets `disable_email_password`.',
  },
  credentials_missing: {
    status: 401,
    message: 'No credentials. Send "key" and "token" in the body, or "Authorization: Bearer <key>:<token>".',
    meaning:
      'Every operation but creating a login needs a caller. Make an API token with a login, or use the key that the first start printed.',
  },
  credentials_invalid: {
    status: 401,
    message: 'The credentials are wrong, expired or revoked.',
    meaning: 'The same answer for a wrong key, a wrong token, a wrong password and an unknown address.',
  },
  forbidden: {
    status: 403,
    message: 'You may see this, but your role does not allow the operation.',
    meaning: 'The message names the role that is needed. Ask an owner of the record or of the organization for it.',
  },
  not_found: {
    status: 404,
    message: 'There is no such record, or you may not see it.',
    meaning: 'Both cases are answered alike, so that nobody learns which records exist.',
  },
  resource_unknown: {
    status: 404,
    message: 'There is no such resource.',
    meaning: 'The path names no resource of this version; `/docs` lists them.',
  },
  version_unknown: {
    status: 404,
    message: 'This service implements version 0.1.0: use /0.1.0/<resource>.',
    meaning: 'The version is the first part of the path.',
  },
  route_unknown: {
    status: 404,
    message: 'There is nothing at this address. The API is at /0.1.0/<resource>, its docs are at /docs.',
    meaning: 'The path is not one of the service.',
  },
  demo_loading: {
    status: 503,
    message: 'The demo is still being loaded.',
    meaning: 'It is loaded once, after the first start; `/demo/state` says how far it is.',
  },
  elements_missing: {
    status: 503,
    message: 'The embed elements have not been built. Run "npm run build" where the service is installed.',
    meaning: 'The files of `/embed/` are made by a build, which `npm start` does by itself.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Send POST (or SEARCH, PATCH, DELETE, LINK, UNLINK) with a JSON body.',
    meaning: '`Allow` names the methods that this address takes. The body names the operation, or the method does.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    meaning: 'The client was too slow in sending it.',
  },
  precondition_failed: {
    status: 409,
    message: 'The record has changed since you read it. Read it again and send its ETag.',
    meaning: '`If-Match` does not name the current ETag of the record.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request. Use a new key.',
    meaning: 'A key stands for one request: the same body by the same caller. Its answer is kept for a day.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is too large for this resource.',
    meaning:
      'Each resource has a limit: 1 MB, 6 MB for securables and 64 MB for pushed rows. Upload larger data as a file.',
  },
  media_type_unsupported: {
    status: 415,
    message: 'Send the body as application/json in UTF-8.',
    meaning: 'Nothing but JSON is read.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests. Wait as long as Retry-After says.',
    meaning:
      'Each token has a sustained rate and a burst (`INLAY_RATE_LIMIT`, `INLAY_RATE_BURST`), and logins have their own.',
  },
  header_too_large: { status: 431, message: 'The headers are too large.', meaning: 'Headers are read up to 16 KB.' },
  internal: {
    status: 500,
    message: 'Internal error. Please report the request_id.',
    meaning: 'A defect of the service, not of the request. The log has the details under the request id.',
  },
  overloaded: {
    status: 503,
    message: 'The service is overloaded. Try again after Retry-After.',
    meaning: 'The request was rejected early so that the others stay fast.',
  },
  stopping: {
    status: 503,
    message: 'This instance is stopping. Try again.',
    meaning: 'Another instance, or the restarted one, will answer.',
  },
  store_unavailable: {
    status: 503,
    message: 'The store does not answer. Nothing was written; try again.',
    meaning: 'The database is out of reach or too slow.',
  },
  outcome_unknown: {
    status: 503,
    message:
      'The link to the store broke while the write was being confirmed: it may or may not have been stored. Send the same request with the same Idempotency-Key.',
    meaning: 'With the same Idempotency-Key the write happens once, whether or not the first attempt was stored.',
  },
  secret_key_missing: {
    status: 503,
    message:
      'This instance does not hold the key for a stored secret. The operator must give it INLAY_SECRET_KEY_PREVIOUS.',
    meaning: 'A rotation is under way, or a key was lost.',
  },
  query_invalid: {
    status: 400,
    message: 'The query is not right; "validation" names each place.',
    meaning: 'A part of a data query is misspelt, missing or of the wrong type.',
  },
  dataset_unknown: {
    status: 400,
    message: 'The query names a dataset that does not exist or that you may not see.',
    meaning: 'A dataset that the caller may not see is answered like one that does not exist.',
  },
  column_unknown: {
    status: 400,
    message: 'The query names a column that does not exist.',
    meaning: 'A column that is hidden from an embed token does not exist for it.',
  },
  query_unanswerable: {
    status: 400,
    message: 'The query cannot be answered as it stands; "validation" names the place.',
    meaning: 'Well formed, but a formula, level, join, value or order in it makes no sense for its columns.',
  },
  query_failed: {
    status: 400,
    message: 'The query cannot be computed over these rows.',
    meaning: 'A value in the rows does not fit what the query does with it.',
  },
  query_too_large: {
    status: 400,
    message: 'The query needs more memory or more rows of its source than this service allows. Ask for less.',
    meaning:
      '`INLAY_ENGINE_MEMORY_MB`, `INLAY_SOURCE_ROWS` and `INLAY_SOURCE_MB` set the limits. Filter the rows, or group them at the source.',
  },
  row_filter_invalid: {
    status: 403,
    message: 'A row filter that holds for you cannot be applied, so no rows are shown.',
    meaning: 'It, or a filter of one item or of groups, names a column that is gone, or a value that does not fit.',
  },
  row_filters_required: {
    status: 400,
    message:
      'This token could read datasets that no row filter reaches; "validation" names them. Add a filter, or have an owner of the dataset set shared_across_tenants.',
    meaning: 'The organization has require_row_filters set, and the token may read a dataset without any row filter.',
  },
  parameter_missing: {
    status: 400,
    message: 'A row filter has a parameter without a value, so no rows are shown.',
    meaning: 'The token gives no value in `parameter_overrides`, and the filter has no default.',
  },
  rows_elsewhere: {
    status: 400,
    message: 'The rows of this dataset stay at its source, so none can be stored here.',
    meaning: 'Rows can be pushed or uploaded into datasets without an account.',
  },
  rows_changed: {
    status: 409,
    message: 'Others stored rows in this dataset at the same time. Try again.',
    meaning: 'It was tried several times, each time onto newer rows.',
  },
  rows_invalid: {
    status: 400,
    message: 'The rows cannot be stored; "validation" names row and column.',
    meaning: 'A cell does not fit its column, a row has another length, or the file is not in its format.',
  },
  rows_missing: {
    status: 400,
    message: 'The dataset has no rows yet and no source to read them from.',
    meaning: 'Push rows, upload a file, or make the dataset from an account.',
  },
  provider_unknown: {
    status: 400,
    message: 'This service has no connector for the provider of the account.',
    meaning: 'Any provider can be stored, but only known ones and plugins can be connected to.',
  },
  account_inactive: {
    status: 400,
    message: 'The account is not active, so its data cannot be read. Set "active" to true.',
    meaning: 'An account that is not active pauses every query over its datasets.',
  },
  account_expired: {
    status: 400,
    message: 'The account has expired, so its data cannot be read. Change "expiry".',
    meaning: 'After `expiry` an account is paused like one that is not active.',
  },
  source_refused: {
    status: 400,
    message: 'The source cannot be read with these settings.',
    meaning: 'The account lacks a setting, or its source_query is not one SELECT.',
  },
  source_failed: {
    status: 502,
    message: 'The source of the data failed.',
    meaning: 'The message names the cause: unreachable, wrong credentials, missing rights, a missing table.',
  },
  source_busy: {
    status: 503,
    message: 'The source of the data takes no more queries now.',
    meaning: 'Try again after Retry-After.',
  },
  source_timeout: {
    status: 504,
    message: 'The source of the data did not answer in time.',
    meaning: 'INLAY_QUERY_TIMEOUT_S, or the source itself gave up.',
  },
  engine_failed: {
    status: 503,
    message: 'The engine failed while it computed the query.',
    meaning: 'It was tried twice. Try again.',
  },
  export_failed: {
    status: 503,
    message: 'The file could not be drawn. Ask for fewer items or a smaller size.',
    meaning: 'The drawing process ran out of memory or failed; the log says why.',
  },
  export_too_large: {
    status: 400,
    message:
      'There is too much to draw or to write. Narrow the rows with a filter or a coarser level, ask for one item with item_id, or export the rows of a query, which may be of any number.',
    meaning: 'A file of a dashboard or an item has bounds for its rows, cells, marks, bytes and memory.',
  },
  disk_full: {
    status: 503,
    message: 'The disk of the service is full. Nothing was stored; try again after Retry-After.',
    meaning: 'Not enough disk space for a file, rows or records. The operator must free some.',
  },
  quota_exceeded: {
    status: 400,
    message: 'The storage quota of your organization is used up. Delete datasets, or ask the operator for more.',
    meaning: '`INLAY_ORGANIZATION_MB` is the limit of disk space for the rows of one organization.',
  },
  plugin_refused: {
    status: 400,
    message: 'The plugin refused this account; "validation" has its message.',
    meaning: 'The answer of the plugin to /authorize or /exchange (plugin protocol).',
  },
  plugin_failed: {
    status: 502,
    message: 'The plugin failed.',
    meaning:
      'It could not be reached, or its answer is not one of the plugin protocol. The message names it and says why.',
  },
  plugin_timeout: {
    status: 504,
    message: 'The plugin did not answer in time.',
    meaning: 'The message names it.',
  },
  client_gone: {
    status: 503,
    message: 'The client went away before it had its answer.',
    meaning: 'Only the log shows this.',
  },
  deadline_passed: {
    status: 504,
    message: 'The answer took longer than this service allows.',
    meaning: '`INLAY_QUERY_TIMEOUT_S` bounds a query from the request to the last row. Ask for less, or raise it.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type ProblemCode = keyof typeof catalogue;

/** Whether a word is one of the catalogue. */
export const isProblemCode = (word: string): word is ProblemCode => Object.hasOwn(catalogue, word);
