import type { FindShape } from './names.ts';
import type { Shape } from './shapes.ts';

/** Areas of one kind, such as countries, and a lookup by name. */
export interface Level {
  /** All land of the world, with some countries replaced by their regions. */
  readonly shapes: readonly Shape[];
  readonly find: FindShape;
}
