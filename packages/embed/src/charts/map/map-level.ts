import type { FindShape } from './names.ts';
import type { Shape } from './shapes.ts';

/** Areas of one kind, such as countries, and a function that finds an area by name. */
export interface Level {
  /** All land of the world. Some countries may be divided into their regions. */
  readonly shapes: readonly Shape[];
  readonly find: FindShape;
}
