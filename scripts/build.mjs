// Builds what is older than its sources, or everything with --force. Plain JavaScript for Node 20: `prestart` runs it.
import * as elements from '../packages/embed/build.mjs';
import * as service from '../packages/service/build.mjs';

const all = process.argv.includes('--force');
if (all || elements.isStale()) await elements.buildElements();
if (all || service.isStale()) await service.buildService();
