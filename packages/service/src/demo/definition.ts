import type { ItemType, JsonObject } from '@inlay/contract';
import type { SourceName } from './sources.ts';

/** A slot entry of an item. */
export interface DemoEntry {
  readonly of: SourceName;
  readonly column: string;
  readonly level?: number;
  readonly by?: string;
  readonly bins?: number;
  /** Replaces the column: column names of the same table in braces. */
  readonly formula?: string;
  /** A part of a time, such as the weekday. */
  readonly part?: string;
  /** Overrides the name and format of the column. */
  readonly label?: JsonObject;
  readonly format?: string;
  /** ISO 4217 code for a formula that computes an amount. */
  readonly currency?: string;
}

export interface DemoItem {
  readonly type: ItemType;
  /** Column, row, width and height in the grid. */
  readonly at: readonly [number, number, number, number];
  /** The position on phones; items without one are omitted if any item of the dashboard has one. */
  readonly onPhone?: readonly [number, number, number, number];
  readonly title: JsonObject;
  readonly slots: Readonly<Record<string, readonly DemoEntry[]>>;
  readonly options?: JsonObject;
}

export interface DemoDashboard {
  readonly name: JsonObject;
  readonly items: readonly DemoItem[];
}
