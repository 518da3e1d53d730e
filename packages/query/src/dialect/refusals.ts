import { bound, raw } from '../sql.ts';
import type { Arg, Dialect, EmittedSql } from './dialect.ts';
import type { StorageType } from '../model.ts';

const arg = (type: StorageType): Arg => ({ sql: raw('x'), type });
const [text, integer, double, timestamp] = [arg('text'), arg('integer'), arg('double'), arg('timestamp')];

/** What some databases do not compute exactly, with SQL for it. */
const features: Readonly<Record<string, (dialect: Dialect) => EmittedSql>> = {
  'lower and upper case': ({ functions }) => functions.lower([text], 'text'),
  'the remainder of doubles': ({ functions }) => functions['%']([double, double], 'double'),
  'the remainder of integers': ({ functions }) => functions['%']([integer, integer], 'integer'),
  'the median of a group': ({ aggregates }) => aggregates.median([double], 'double'),
  'a percentile of a group': ({ aggregates }) =>
    aggregates.percentile([double, { sql: bound(0.9), type: 'double' }], 'double'),
  'the distinct count of a group': ({ aggregates }) => aggregates.distinct([text], 'integer'),
  'the standard deviation of a group': ({ aggregates }) => aggregates.deviation([double], 'double'),
  'times in a named zone': (dialect) => dialect.zone(timestamp, 'local', 'Europe/Brussels'),
  'weeks that begin on Sunday': (dialect) => dialect.truncate(timestamp, 4, 7),
  'levels of a path': (dialect) => dialect.path(text.sql, '/', 1),
  'a list of looked-up keys': (dialect) => dialect.listed(text, ['a']),
  'a number in a text column': (dialect) => dialect.cast(text, 'double'),
  'a time in a text column': (dialect) => dialect.cast(text, 'timestamp'),
  'a text with the NUL character': (dialect) => dialect.literal('\0', 'text'),
  'a time in 1899': (dialect) => dialect.literal('1899-12-31 00:00:00', 'timestamp'),
  'a pattern such as `%🦆_`': (dialect) => {
    const pattern = dialect.literal('%🦆_', 'text');
    return 'unsupported' in pattern
      ? pattern
      : dialect.functions.like([text, { sql: pattern, type: 'text' }], 'boolean');
  },
};

/** Lists what some databases do not compute exactly, each with the reason of a dialect; null if the dialect computes it. */
export const refusalsOf = (dialect: Dialect): ReadonlyMap<string, string | null> =>
  new Map(
    Object.entries(features).map(([feature, write]) => {
      const emitted = write(dialect);
      return [feature, 'unsupported' in emitted ? emitted.unsupported : null];
    }),
  );
