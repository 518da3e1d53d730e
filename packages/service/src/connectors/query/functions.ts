/** Functions that write, lock or read files although a SELECT may call them, by dialect; in lower case. */
export const refusedFunctions = {
  postgres:
    /^(?:pg_read_(?:binary_)?file|pg_stat_file|pg_stat_reset\w*|pg_stat_statements_reset|brin_(?:de)?summarize\w*|gin_clean_pending_list|pg_ls_\w+|lo_\w+|dblink\w*|set_config|setval|nextval|pg_notify|pg_try_advisory\w*|pg_advisory\w*|pg_terminate_backend|pg_cancel_backend|pg_reload_conf|pg_rotate_logfile\w*|pg_promote|pg_switch_wal|pg_create_\w+|pg_drop_\w+|pg_copy_\w+|pg_export_snapshot|pg_logical_\w+|pg_replication_\w+|pg_file_\w+|pg_execute_server_program|query_to_xml\w*|cursor_to_xml\w*|table_to_xml\w*|schema_to_xml\w*|database_to_xml\w*|xpath_table|ts_stat|pg_start_backup|pg_stop_backup|pg_backup_\w+|pg_wal_\w+|pg_log_backend_memory_contexts)$/u,
  mysql:
    /^(?:load_file|get_lock|release_lock|release_all_locks|is_used_lock|master_pos_wait|master_gtid_wait|source_pos_wait|wait_for_executed_gtid_set|wait_until_sql_thread_after_gtids|nextval|setval|sys_exec|sys_eval|sys_get|sys_set|lib_mysqludf\w*|dbms_\w+)$/u,
} as const;
