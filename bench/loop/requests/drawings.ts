import type { JsonObject } from '@inlay/contract';
import { column } from '../stage.ts';
import { done, either, type LargestRequest, type Part } from './request.ts';

/** Exports, most of which are drawn. */
export const drawings: Part = (stage, { ask }) => {
  const made = (name: string, properties: JsonObject, statuses: readonly number[] = either): LargestRequest =>
    ask(name, 'export', { action: 'create', properties }, statuses, stage.viewer);
  const of = (name: string): JsonObject => ({ dashboard_id: stage.drawn[name] ?? '', item_id: 'one' });
  const query: JsonObject = {
    dimensions: ['leaf', 'a', 'b'].map((name) => column(stage.facts, name)),
    limit: { by: 100_000 },
  };
  return [
    made('pivot of 490,000 cells', { type: 'svg', ...of('pivot') }),
    made('treemap of 100,000 marks', { type: 'svg', ...of('treemap') }),
    made('sunburst as PDF', { type: 'pdf', dashboard_id: stage.drawn['sunburst'] ?? '' }),
    made('table as XLSX', { type: 'xlsx', ...of('table') }),
    made('picture of 64 million pixels', { type: 'png', ...of('small'), width: 4000, scale: 4 }),
    made('rows as CSV', { type: 'csv', query }, done),
    made('rows as Parquet', { type: 'parquet', query }),
  ];
};
