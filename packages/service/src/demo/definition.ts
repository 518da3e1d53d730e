import type { ItemType, JsonObject } from '@inlay/contract';
import type { SourceName } from './sources.ts';

/** A slot entry of an item. */
export interface DemoEntry {
  readonly of: SourceName;
  readonly column: string;
  readonly level?: number;
  readonly by?: string;
  readonly bins?: number;
  /** Formula that replaces the column. Column names of the same table are in braces. */
  readonly formula?: string;
  /** Part of a time that is shown, such as the weekday. */
  readonly part?: string;
  /** Name and format that override those of the column. */
  readonly label?: JsonObject;
  readonly format?: string;
  /** ISO 4217 code if the formula computes an amount. */
  readonly currency?: string;
}

export interface DemoItem {
  readonly type: ItemType;
  /** Column, row, width and height in the grid. */
  readonly at: readonly [number, number, number, number];
  /** The position on phones. If any item of the dashboard has one, items without one are omitted on phones. */
  readonly onPhone?: readonly [number, number, number, number];
  readonly title: JsonObject;
  readonly slots: Readonly<Record<string, readonly DemoEntry[]>>;
  readonly options?: JsonObject;
}

export interface DemoDashboard {
  readonly name: JsonObject;
  readonly items: readonly DemoItem[];
}
