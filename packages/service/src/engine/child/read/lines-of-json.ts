/**
 * Options to read NDJSON. DuckDB infers types only for members and one level below: deeper inference takes exponential
 * time, and the service stores objects and lists as JSON anyway.
 */
export const linesOfJson = "format = 'newline_delimited', maximum_depth = 2";
