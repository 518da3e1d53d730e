/**
 * How NDJSON is read. Types are found for members and what lies in them, no deeper: finding those of deep lists takes a time
 * that multiplies with each step, and what is not a plain value becomes JSON anyway.
 */
export const linesOfJson = "format = 'newline_delimited', maximum_depth = 2";
