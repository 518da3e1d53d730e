import { isListed, type QueryRules } from '../query/check-query.ts';

/** Functions that a SELECT must not call, because they write, lock, wait, or read files. */
const refusedFunctions = {
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
} as const;

export const queryRules: QueryRules = {
  lexis: {
    quotes: {
      "'": { backslash: true, names: false },
      '"': { backslash: true, names: false },
      '`': { backslash: false, names: true },
    },
    lineComment: /(?:#|--(?=[\0- \x7F]|$))[^\r\n]*/uy,
    nestedComments: false,
    dollarQuotes: false,
    parameter: /[?$]/uy,
  },
  refusedWord:
    /^(?:into|outfile|dumpfile|load_file|call|handler|prepare|execute|begin|commit|rollback|lock|procedure)$/iu,
  isRefusedFunction: isListed(refusedFunctions),
  callsByDot: true,
};
