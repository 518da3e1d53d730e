/**
 * Options to read NDJSON. Types are inferred for members and one level within them: deeper inference takes exponential
 * time, and values that are not scalar become JSON anyway.
 */
export const linesOfJson = "format = 'newline_delimited', maximum_depth = 2";
