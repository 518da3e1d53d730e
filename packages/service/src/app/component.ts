import type { Gauges } from '../metrics/metrics.ts';
import { gaugeNames } from '../metrics/table.ts';

/** A part of a running service. */
export interface Component {
  /** The gauges that it can read. */
  readonly gauges: Partial<Gauges>;
  /** Stops its work and releases what it has opened. */
  close(): Promise<void>;
}

const isComplete = (gauges: Partial<Gauges>): gauges is Gauges =>
  gaugeNames.every((name) => gauges[name] !== undefined);

/** The gauges of all components. Raises Error if none reads a gauge of the table. */
export function gaugesOf(components: readonly Component[]): Gauges {
  const gauges = components.reduce<Partial<Gauges>>((all, component) => ({ ...all, ...component.gauges }), {});
  if (isComplete(gauges)) return gauges;
  const missing = gaugeNames.filter((name) => gauges[name] === undefined);
  throw new Error(`no component reads ${missing.join(', ')}`);
}

/** Closes components in the reverse of the order in which they were opened. */
export async function closeAll(components: readonly Component[]): Promise<void> {
  for (const component of components.toReversed()) await component.close();
}
