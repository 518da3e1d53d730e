import type { ItemType, JsonObject } from '@inlay/contract';
import type { SourceName } from './sources.ts';

/** A column in a slot of an item. */
export interface DemoEntry {
  readonly of: SourceName;
  readonly column: string;
  readonly level?: number;
  readonly by?: string;
  readonly bins?: number;
  /** Instead of the column: columns of the same table by their names, between braces. */
  readonly formula?: string;
  /** A part of a time. */
  readonly part?: string;
  /** Instead of the name and format of the column. */
  readonly label?: JsonObject;
  readonly format?: string;
  /** ISO 4217 code, of a formula that gives an amount. */
  readonly currency?: string;
}

export interface DemoItem {
  readonly type: ItemType;
  /** Column, row, width and height in the grid. */
  readonly at: readonly [number, number, number, number];
  /** The same on phones; a dashboard that names places there leaves off the items that have none. */
  readonly onPhone?: readonly [number, number, number, number];
  readonly title: JsonObject;
  readonly slots: Readonly<Record<string, readonly DemoEntry[]>>;
  readonly options?: JsonObject;
}

export interface DemoDashboard {
  readonly name: JsonObject;
  readonly items: readonly DemoItem[];
}
