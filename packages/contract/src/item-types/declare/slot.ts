/** What a slot takes: a number to draw, something to group by, either of them, a time, or a number or time as a range. */
export type SlotTakes = 'measure' | 'category' | 'either' | 'datetime' | 'range';

/**
 * What a column in a slot is in the query of its item. `either` is measured if the column is a number, `field` also if its entry
 * is aggregated.
 */
export type QueryPart = 'dimension' | 'measure' | 'range' | 'either' | 'field';

interface RoleMeaning {
  readonly takes: SlotTakes;
  readonly part: QueryPart;
  /** The members of the other slots are split by its members. */
  readonly splits?: true;
}

/** The roles of slots in the drawing of an item. */
export const slotRoles = {
  /** Members that are compared. */
  category: { takes: 'category', part: 'dimension' },
  /** Members inside members, outermost first. */
  level: { takes: 'category', part: 'dimension' },
  /** Members that are areas of a map. */
  place: { takes: 'category', part: 'dimension' },
  /** Members that are points of a map, by name or by coordinates. */
  point: { takes: 'category', part: 'dimension' },
  /** Periods in which a number is compared. */
  time: { takes: 'datetime', part: 'dimension' },
  /** A number that is cut into bins. */
  bins: { takes: 'either', part: 'dimension' },
  /** Members with a colour each, within each category. */
  series: { takes: 'category', part: 'dimension', splits: true },
  /** The same, also by a number. */
  color: { takes: 'category', part: 'either', splits: true },
  /** Members with a column each, beside the measures. */
  column: { takes: 'category', part: 'dimension', splits: true },
  /** Members with a colour each, of which every mark has one. */
  mark: { takes: 'category', part: 'dimension' },
  /** Names of marks. */
  name: { takes: 'category', part: 'dimension' },
  measure: { takes: 'measure', part: 'measure' },
  target: { takes: 'measure', part: 'measure' },
  size: { takes: 'measure', part: 'measure' },
  /** Places of marks across and up. */
  across: { takes: 'either', part: 'field' },
  up: { takes: 'either', part: 'field' },
  /** A column of a table, whatever it holds. */
  field: { takes: 'either', part: 'field' },
  /** Members to choose from. */
  choice: { takes: 'category', part: 'dimension' },
  /** The first and last value to choose between. */
  period: { takes: 'datetime', part: 'range' },
  range: { takes: 'range', part: 'range' },
} as const satisfies Readonly<Record<string, RoleMeaning>>;
export type SlotRole = keyof typeof slotRoles;

/** Whether the members of a slot split those of the other slots. */
export const splits = ({ role }: SlotRule): boolean => 'splits' in slotRoles[role];

/** A slot of a type of item. specification/dashboards#slots */
export interface SlotRule {
  readonly name: string;
  readonly role: SlotRole;
  readonly takes: SlotTakes;
  readonly required: boolean;
  /** Takes several columns. */
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
