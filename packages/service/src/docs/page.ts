import type { Registry } from '../resource/registry.ts';

/** The docs page: one HTML page without scripts or outside files. */
export const docsPage = (registry: Registry): string =>
  `<!doctype html><title>Inlay</title>${[...registry.paths.keys()].join(', ')}`;
