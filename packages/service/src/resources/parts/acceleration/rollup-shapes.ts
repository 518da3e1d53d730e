import type { JsonObject } from '@inlay/contract';

const id = { type: 'string', description: 'Identifies the rollup; equal rollups have equal ids.' } as const;
const rows = { type: 'integer', description: 'Number of rows of the rollup.' } as const;

/** JSON schema of the rollups of a copy. */
export const rollupListShape: JsonObject = {
  items: { title: 'Rollup', type: 'object', properties: { id, rows }, required: ['id', 'rows'] },
};

/** JSON schema of the newest times of a copy. */
export const newestTimesShape: JsonObject = {
  items: {
    title: 'NewestTime',
    type: 'object',
    properties: { source_name: { type: 'string' }, newest: { type: 'string', format: 'date-time' } },
    required: ['source_name', 'newest'],
  },
};

/** JSON schema of stopped rollups. */
export const stoppedRollupShape: JsonObject = {
  items: {
    title: 'StoppedRollup',
    type: 'object',
    properties: { id, stopped_at: { type: 'string', format: 'date-time' } },
    required: ['id', 'stopped_at'],
  },
};

/** JSON schema of proposed rollups. */
export const rollupProposalShape: JsonObject = {
  items: {
    title: 'RollupProposal',
    type: 'object',
    properties: {
      id,
      group_by: {
        type: 'array',
        description: 'Columns that it groups by; times by a level (1 year … 5 day) in a time zone.',
        items: {
          type: 'object',
          properties: {
            column_id: { type: 'string', format: 'uuid' },
            level: { type: ['integer', 'null'] },
            timezone_id: { type: ['string', 'null'] },
          },
          required: ['column_id', 'level', 'timezone_id'],
        },
      },
      measures: {
        type: 'array',
        description: 'What it computes. `column_id` is null for the number of rows and for formulas.',
        items: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: ['rows', 'count', 'sum', 'min', 'max', 'average', 'stddev'] },
            column_id: { type: ['string', 'null'], format: 'uuid' },
          },
          required: ['type', 'column_id'],
        },
      },
      rows,
      copy_rows: { type: 'integer', description: 'Number of rows of the copy.' },
      queries: { type: 'integer', description: 'Number of recent queries of the copy that it would answer.' },
      share: { type: 'number', description: 'Share of the recent queries of the copy that it would answer, 0 to 1.' },
    },
    required: ['id', 'group_by', 'measures', 'rows', 'copy_rows', 'queries', 'share'],
  },
};
