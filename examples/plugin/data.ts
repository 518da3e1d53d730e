/** What a column holds, in the words of the plugin protocol. */
export type ColumnType = 'numeric' | 'datetime' | 'hierarchy';
export type Cell = string | number | null;

export interface Table {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly columns: readonly { readonly id: string; readonly name: string; readonly type: ColumnType }[];
  readonly rows: readonly (readonly Cell[])[];
}

/**
 * The crewed missions of Apollo. Launch and duration: Richard W. Orloff, "Apollo by the Numbers", NASA SP-2000-4029.
 * Samples: NASA, lunar sample curation. Works of the United States government, in the public domain.
 */
const missions: Table = {
  id: 'missions',
  name: 'Apollo missions',
  description: 'The eleven crewed missions of Apollo',
  columns: [
    { id: 'mission', name: 'Mission', type: 'hierarchy' },
    { id: 'goal', name: 'Goal', type: 'hierarchy' },
    { id: 'launch', name: 'Launch', type: 'datetime' },
    { id: 'hours', name: 'Duration (hours)', type: 'numeric' },
    { id: 'samples', name: 'Samples (kg)', type: 'numeric' },
  ],
  rows: [
    ['Apollo 7', 'Earth orbit', '1968-10-11T15:02:45.000Z', 260.15, null],
    ['Apollo 8', 'Moon orbit', '1968-12-21T12:51:00.000Z', 147.01, null],
    ['Apollo 9', 'Earth orbit', '1969-03-03T16:00:00.000Z', 241.02, null],
    ['Apollo 10', 'Moon orbit', '1969-05-18T16:49:00.000Z', 192.06, null],
    ['Apollo 11', 'Landing', '1969-07-16T13:32:00.000Z', 195.31, 21.6],
    ['Apollo 12', 'Landing', '1969-11-14T16:22:00.000Z', 244.61, 34.3],
    ['Apollo 13', 'Landing', '1970-04-11T19:13:00.000Z', 142.91, null],
    ['Apollo 14', 'Landing', '1971-01-31T21:03:02.000Z', 216.03, 42.3],
    ['Apollo 15', 'Landing', '1971-07-26T13:34:00.600Z', 295.2, 77.3],
    ['Apollo 16', 'Landing', '1972-04-16T17:54:00.000Z', 265.85, 95.7],
    ['Apollo 17', 'Landing', '1972-12-07T05:33:00.000Z', 301.87, 110.5],
  ],
};

/** The planets. David R. Williams, Planetary Fact Sheet, NASA Goddard Space Flight Center; in the public domain. */
const planets: Table = {
  id: 'planets',
  name: 'Planets',
  description: 'The planets of the Sun',
  columns: [
    { id: 'planet', name: 'Planet', type: 'hierarchy' },
    { id: 'kind', name: 'Kind', type: 'hierarchy' },
    { id: 'diameter', name: 'Diameter (km)', type: 'numeric' },
    { id: 'day', name: 'Length of day (hours)', type: 'numeric' },
  ],
  rows: [
    ['Mercury', 'Rock', 4879, 4222.6],
    ['Venus', 'Rock', 12_104, 2802],
    ['Earth', 'Rock', 12_756, 24],
    ['Mars', 'Rock', 6792, 24.7],
    ['Jupiter', 'Gas', 142_984, 9.9],
    ['Saturn', 'Gas', 120_536, 10.7],
    ['Uranus', 'Ice', 51_118, 17.2],
    ['Neptune', 'Ice', 49_528, 16.1],
  ],
};

export const tables: readonly Table[] = [missions, planets];
