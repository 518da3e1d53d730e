import type { Serve } from '../resource/served.ts';
import { createRunOnce } from './idempotency.ts';
import { openProvider, type ProviderContext } from './provider/open.ts';
import { createAichartPart } from './serve.ts';

/** The part that answers `aichart`, from the settings and the store. */
export function openAichart(opening: ProviderContext): Serve {
  const { store } = opening;
  return createAichartPart({ reader: store, consult: openProvider(opening), once: createRunOnce(store) });
}
