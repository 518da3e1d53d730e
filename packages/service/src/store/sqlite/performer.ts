import type { Perform } from '../store.ts';

/** The module from which each writer thread creates its command handler, and the data to pass to the module. */
export interface PerformerSource {
  readonly module: string;
  readonly data: unknown;
}

/** Exports of a performer module. */
interface PerformerModule<Command, Answer> {
  readonly performer: (data: unknown) => Perform<Command, Answer>;
}

const isFunction = (holder: object, name: string): boolean => typeof Reflect.get(holder, name) === 'function';

const isPerformerModule = <Command, Answer>(module: unknown): module is PerformerModule<Command, Answer> =>
  typeof module === 'object' && module !== null && isFunction(module, 'performer');

/** Loads the module and creates its command handler. Raises TypeError if the module does not export `performer`. */
export async function loadPerformer<Command, Answer>({
  module,
  data,
}: PerformerSource): Promise<Perform<Command, Answer>> {
  const loadedModule: unknown = await import(module);
  if (!isPerformerModule<Command, Answer>(loadedModule)) throw new TypeError(`${module} does not export a performer`);
  return loadedModule.performer(data);
}
