import type { Gauges } from '../metrics/metrics.ts';
import { gaugeNames } from '../metrics/table.ts';

/** A part of a running service that is opened and closed with it. */
export interface Component {
  /** Gauges for which the component returns values. */
  readonly gauges: Partial<Gauges>;
  /** Stops background work and releases all resources. */
  close(): Promise<void>;
}

const isComplete = (gauges: Partial<Gauges>): gauges is Gauges =>
  gaugeNames.every((name) => gauges[name] !== undefined);

/** Combines the gauges of all components. Raises Error if a gauge of the table is missing. */
export function gaugesOf(components: readonly Component[]): Gauges {
  const gauges = components.reduce<Partial<Gauges>>(
    (allGauges, component) => ({ ...allGauges, ...component.gauges }),
    {},
  );
  if (isComplete(gauges)) return gauges;
  const missingGauges = gaugeNames.filter((name) => gauges[name] === undefined);
  throw new Error(`no component reads ${missingGauges.join(', ')}`);
}

/** Closes components in reverse order. */
export async function closeAll(components: readonly Component[]): Promise<void> {
  for (const component of components.toReversed()) await component.close();
}
