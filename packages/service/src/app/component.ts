import type { Gauges } from '../metrics/metrics.ts';
import { gaugeNames } from '../metrics/table.ts';

/** A part of a running service. It is opened when the service starts and closed when it stops. */
export interface Component {
  /** Gauges whose values the component provides. */
  readonly gauges: Partial<Gauges>;
  /** Stops background work and releases all resources. */
  close(): Promise<void>;
}

const isComplete = (gauges: Partial<Gauges>): gauges is Gauges =>
  gaugeNames.every((name) => gauges[name] !== undefined);

/** Combines the gauges of all components. Raises Error if no component provides a gauge of the table. */
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
