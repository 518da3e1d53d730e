import type { FindShape } from './names.ts';
import type { Shape } from './shapes.ts';

/** Areas of one kind, such as countries, and how rows name them. */
export interface Level {
  /** All land of the world: countries, and in place of some of them their regions. */
  readonly shapes: readonly Shape[];
  readonly find: FindShape;
}
