import type { ServedHandler } from '../resource/served.ts';
import { readExport } from './export-spec.ts';
import type { RenderExport } from './render-export.ts';

/** Creates the handler of `create` on export. */
export const createExportHandler =
  (renderExport: RenderExport): ServedHandler =>
  async (request) => {
    const { mediaType, name, body } = await renderExport(request.caller, readExport(request.input), request);
    return { type: mediaType, fileName: name, body };
  };
