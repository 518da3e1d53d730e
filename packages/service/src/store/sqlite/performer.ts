import type { Perform } from '../store.ts';

/** Where the function is that carries out commands, and what it is made from: each thread that writes makes its own. */
export interface PerformerSource {
  readonly module: string;
  readonly data: unknown;
}

/** What such a module gives. */
interface PerformerModule<Command, Answer> {
  readonly performer: (data: unknown) => Perform<Command, Answer>;
}

const isFunction = (holder: object, name: string): boolean => typeof Reflect.get(holder, name) === 'function';

const isPerformerModule = <Command, Answer>(module: unknown): module is PerformerModule<Command, Answer> =>
  typeof module === 'object' && module !== null && isFunction(module, 'performer');

/** Loads the module and gives what its `performer` makes. Raises TypeError where it exports none. */
export async function loadPerformer<Command, Answer>({
  module,
  data,
}: PerformerSource): Promise<Perform<Command, Answer>> {
  const loaded: unknown = await import(module);
  if (!isPerformerModule<Command, Answer>(loaded)) throw new TypeError(`${module} does not export a performer`);
  return loaded.performer(data);
}
