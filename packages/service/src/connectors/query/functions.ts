import type { QueryDialect } from './pieces.ts';

/**
 * Names of functions that a SELECT must not call, because they write, lock, read files, run a text as SQL, or change
 * the session. Names are in lower case. A star stands for any suffix.
 */
const refusedNames = {
  postgres: {
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
    statistics: [
      'pg_stat_reset*',
      'pg_stat_statements_reset',
      'pg_stat_force_next_flush',
      'pg_clear_*',
      'pg_restore_*',
    ],
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
  },
  mysql: {
    files: ['load_file', 'gen_dictionary_*', 'audit_log_*'],
    sequences: ['nextval', 'setval'],
    locks: ['get_lock', 'release_lock', 'release_all_locks', 'is_used_lock', 'service_get_*', 'service_release_*'],
    waits: [
      'master_pos_wait',
      'master_gtid_wait',
      'source_pos_wait',
      'wait_for_executed_gtid_set',
      'wait_until_sql_thread_after_gtids',
    ],
    otherPrograms: ['sys_exec', 'sys_eval', 'sys_get', 'sys_set', 'lib_mysqludf*', 'dbms_*'],
    wholeServer: [
      'group_replication_*',
      'asynchronous_connection_failover_*',
      'version_tokens_*',
      'keyring_key_*',
      'mysql_firewall_*',
      'set_firewall_*',
    ],
  },
} as const satisfies Readonly<Record<QueryDialect, Readonly<Record<string, readonly string[]>>>>;

const isRefused = (names: Readonly<Record<string, readonly string[]>>): ((name: string) => boolean) => {
  const patterns = Object.values(names).flat();
  const exactNames = new Set(patterns);
  const beginnings = patterns.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  return (name) => {
    const lowerName = name.toLowerCase();
    return exactNames.has(lowerName) || beginnings.some((beginning) => lowerName.startsWith(beginning));
  };
};

/** For each dialect: true if a query must not call the function. */
export const refusedFunctions: Readonly<Record<QueryDialect, (name: string) => boolean>> = {
  postgres: isRefused(refusedNames.postgres),
  mysql: isRefused(refusedNames.mysql),
};
