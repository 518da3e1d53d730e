import type { Demo } from '../demo/demo.ts';
import type { ServerParts } from '../http/parts.ts';
import type { Service } from '../pipeline/service.ts';
import { tokenHash } from '../resources/parts/tokens.ts';
import type { Components } from './build-service.ts';

/** The demo and the gallery of item types. Both are null if disabled in the settings. */
interface DemoPages extends Pick<ServerParts, 'addGallery'> {
  readonly demo: Demo | null;
}

/** Opens the demo if it is enabled, without loading its data. */
export async function openDemo({ platform, served }: Components, service: Service): Promise<DemoPages> {
  const { config, random, now } = platform;
  if (!config.demo) return { demo: null, addGallery: null };
  const [{ Demo }, { addGallery }] = await Promise.all([
    import('../demo/demo.ts'),
    import('../gallery/serve-gallery.ts'),
  ]);
  return {
    demo: new Demo({ dataDir: config.dataDir, service, random, tokenHash, now }),
    addGallery: (server) => addGallery(server, served.renderPool),
  };
}
