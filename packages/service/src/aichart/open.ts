import type { Serve } from '../resource/served.ts';
import { createOnce } from './once.ts';
import { openProvider, type Opening } from './provider/open.ts';
import { createAichartPart } from './serve.ts';

/** The part that answers `aichart`, from the settings and the store. */
export function openAichart(opening: Opening): Serve {
  const { store } = opening;
  return createAichartPart({ reader: store, consult: openProvider(opening), once: createOnce(store) });
}
