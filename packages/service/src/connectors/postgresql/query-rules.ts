import { isListed, type QueryRules } from '../query/check-query.ts';

/**
 * Functions that a SELECT must not call, because they write, lock, read files, run a text as SQL, or change the
 * session.
 */
const refusedFunctions = {
  files: ['pg_read_*', 'pg_stat_file', 'pg_ls_*', 'pg_logdir_ls', 'pg_file_*', 'lo_*', 'loread', 'lowrite'],
  textsRunAsSql: [
    'query_to_xml*',
    'cursor_to_xml*',
    'table_to_xml*',
    'schema_to_xml*',
    'database_to_xml*',
    'xpath_table',
    'ts_stat',
    'ts_rewrite',
    'crosstab*',
    'connectby',
    'dblink*',
  ],
  otherPrograms: ['xslt_process', 'pg_execute_server_program', 'postgres_fdw_disconnect*'],
  sessions: ['set_config', 'set_limit', 'pg_terminate_backend', 'pg_cancel_backend', 'pg_export_snapshot'],
  sequences: ['setval', 'nextval', 'pg_nextoid', 'currtid2'],
  locksAndMessages: ['pg_try_advisory*', 'pg_advisory*', 'pg_notify'],
  statistics: ['pg_stat_reset*', 'pg_stat_statements_reset', 'pg_stat_force_next_flush', 'pg_clear_*', 'pg_restore_*'],
  // A read-only transaction does not prevent these changes to pages.
  pages: [
    'brin_summarize*',
    'brin_desummarize*',
    'gin_clean_pending_list',
    'heap_force_*',
    'get_raw_page',
    'pg_truncate_visibility_map',
    'pg_prewarm',
    'autoprewarm_*',
    'pg_buffercache_evict*',
    'pg_buffercache_mark*',
  ],
  wholeServer: [
    'pg_reload_conf',
    'pg_rotate_logfile*',
    'pg_log_*',
    'pg_promote',
    'pg_switch_wal',
    'pg_wal_*',
    'pg_get_wal_record*',
    'pg_get_wal_stats*',
    'pg_start_backup',
    'pg_stop_backup',
    'pg_backup_*',
    'pg_create_*',
    'pg_drop_*',
    'pg_copy_*',
    'pg_logical_*',
    'pg_replication_*',
    'pg_sync_replication_slots',
    'pg_import_system_collations',
    'pg_extension_config_dump',
    'pg_stop_making_pinned_objects',
    'binary_upgrade_*',
  ],
} as const;

export const queryRules: QueryRules = {
  lexis: {
    quotes: { "'": { backslash: false, names: false }, '"': { backslash: false, names: true } },
    lineComment: /--[^\r\n]*/uy,
    nestedComments: true,
    dollarQuotes: true,
    parameter: /\$/uy,
  },
  refusedWord: /^(?:into|call|copy|do|execute|prepare|begin|commit|rollback|lock|listen|notify|vacuum)$/iu,
  isRefusedFunction: isListed(refusedFunctions),
  callsByDot: true,
};
