/**
 * What a slot accepts. `measure`: a number to draw. `category`: a column to group by. `either`: one of these two.
 * `datetime`: a time. `range`: a number or a time from which a range is selected.
 */
export type SlotTakes = 'measure' | 'category' | 'either' | 'datetime' | 'range';

/**
 * How the column of an entry appears in a query. With `either`, a number is a measure and any other column is a
 * dimension. With `field`, an aggregated entry is a measure too.
 */
export type QueryPart = 'dimension' | 'measure' | 'range' | 'either' | 'field';

interface RoleMeaning {
  readonly takes: SlotTakes;
  readonly part: QueryPart;
  /** True if the members of this slot split those of the other slots into parts. */
  readonly splits?: true;
}

/** What the column in a slot means for the chart. */
export const slotRoles = {
  /** Members to compare. */
  category: { takes: 'category', part: 'dimension' },
  /** One level of nested members. The outermost level comes first. */
  level: { takes: 'category', part: 'dimension' },
  /** Members shown as areas of a map. */
  place: { takes: 'category', part: 'dimension' },
  /** Members shown as points of a map, by name or coordinates. */
  point: { takes: 'category', part: 'dimension' },
  /** Periods over which a number is compared. */
  time: { takes: 'datetime', part: 'dimension' },
  /** A number to divide into bins. */
  bins: { takes: 'either', part: 'dimension' },
  /** Members within each category. Each member has a colour. */
  series: { takes: 'category', part: 'dimension', splits: true },
  /** Members as in `series`, or a number. */
  color: { takes: 'category', part: 'either', splits: true },
  /** Members that each have a table column, next to the measures. */
  column: { takes: 'category', part: 'dimension', splits: true },
  /** Members that each have a colour. Every mark belongs to one member. */
  mark: { takes: 'category', part: 'dimension' },
  /** Names of marks. */
  name: { takes: 'category', part: 'dimension' },
  measure: { takes: 'measure', part: 'measure' },
  target: { takes: 'measure', part: 'measure' },
  size: { takes: 'measure', part: 'measure' },
  /** Horizontal and vertical positions of marks. */
  across: { takes: 'either', part: 'field' },
  up: { takes: 'either', part: 'field' },
  /** A table column of any type. */
  field: { takes: 'either', part: 'field' },
  /** Members to select from. */
  choice: { takes: 'category', part: 'dimension' },
  /** Range of times to select from. */
  period: { takes: 'datetime', part: 'range' },
  range: { takes: 'range', part: 'range' },
} as const satisfies Readonly<Record<string, RoleMeaning>>;
export type SlotRole = keyof typeof slotRoles;

/** True if the members of a slot split those of the other slots into parts. */
export const splits = ({ role }: SlotRule): boolean => 'splits' in slotRoles[role];

/** A slot of an item type. specification/dashboards#slots */
export interface SlotRule {
  readonly name: string;
  readonly role: SlotRole;
  readonly takes: SlotTakes;
  readonly required: boolean;
  /** True if the slot accepts several columns. */
  readonly many: boolean;
}

export interface SlotCount {
  readonly required: boolean;
  readonly many: boolean;
}
export interface SlotOf<Name extends string, Count extends SlotCount> extends SlotRule {
  readonly name: Name;
  readonly required: Count['required'];
  readonly many: Count['many'];
}

const declared =
  <const Count extends SlotCount>(count: Count) =>
  <const Name extends string>(name: Name, role: SlotRole): SlotOf<Name, Count> => ({
    name,
    role,
    takes: slotRoles[role].takes,
    ...count,
  });

/** A slot for at most one column. */
export const optional = declared({ required: false, many: false });
/** A slot that must have one column. */
export const required = declared({ required: true, many: false });
/** A slot for any number of columns. */
export const several = declared({ required: false, many: true });
/** A slot for one or more columns. */
export const oneOrMore = declared({ required: true, many: true });
