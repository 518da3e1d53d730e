import type { TableChart } from './frame/chart.ts';
import { pivotTable } from './table/pivot.ts';

export const chart: TableChart = { kind: 'table', type: 'pivot-table', table: pivotTable };
