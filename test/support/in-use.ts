import type { App } from '../../packages/service/src/app/app.ts';
import { requestGauges } from '../../packages/service/src/metrics/table.ts';

/** What requests use of a service, by gauge; empty while it is idle. */
export const inUse = ({ gauges }: App): Readonly<Record<string, number>> =>
  Object.fromEntries(requestGauges.map((name) => [name, gauges[name]()] as const).filter(([, value]) => value !== 0));
