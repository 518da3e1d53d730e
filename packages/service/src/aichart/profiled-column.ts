import type { ColumnMeaning } from '../columns/meaning.ts';
import type { ChartColumn } from './dataset.ts';

export interface ProfiledColumn extends ChartColumn, ColumnMeaning {}
