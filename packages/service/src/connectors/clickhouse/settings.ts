import { clickhouseSettings } from '@inlay/query';

/** What the profile of a user allows. 0 stands for no limit. */
export interface Profile {
  /** 0: settings may change; 1: none may; 2: all but `readonly` may. */
  readonly readonly: number;
  readonly maxExecutionS: number;
  readonly maxMemoryBytes: number;
}

/** Limits of one statement. */
export interface StatementLimits {
  /** Time in milliseconds since the epoch at which the server ends the statement. */
  readonly deadline: number;
  /** Number of rows after which the server may end the result; null if it must be whole. */
  readonly rows: number | null;
}

export type Settings = Readonly<Record<string, string | number>>;

/** Settings by which values have the same form on every server. */
const formatSettings: Settings = {
  ...clickhouseSettings,
  date_time_output_format: 'iso',
  // Nested values are read as JSON text, in which numbers are numbers.
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 1,
  output_format_json_quote_denormals: 0,
};

/** Settings of the connection: the progress of a long query keeps it alive, and its end ends the query. */
const connectionSettings: Settings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
  cancel_http_readonly_queries_on_client_close: 1,
  max_query_size: '10000000',
};

/** Returns the lower of two limits, of which 0 is none. */
const lower = (limit: number, other: number): number => (other > 0 ? Math.min(limit, other) : limit);

/** Returns the settings of a statement that only reads. A profile with stricter limits stays in force. */
export function settingsOf(
  { readonly, maxExecutionS, maxMemoryBytes }: Profile,
  { deadline, rows }: StatementLimits,
  memoryBytes: number,
): Settings {
  // In case the service cannot end a statement, the server ends it shortly after the deadline.
  const leftS = Math.max(1, Math.ceil(deadline - Date.now()) + 250) / 1000;
  return {
    ...formatSettings,
    ...connectionSettings,
    ...(readonly === 0 && { readonly: 1 }),
    max_execution_time: lower(leftS, maxExecutionS),
    timeout_overflow_mode: 'throw',
    max_memory_usage: String(lower(memoryBytes, maxMemoryBytes)),
    ...(rows !== null && { max_result_rows: String(rows), result_overflow_mode: 'break' }),
  };
}
