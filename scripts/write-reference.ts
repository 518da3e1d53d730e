import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providersReference } from '../packages/service/src/connectors/providers-reference.ts';
import { openApi } from '../packages/service/src/docs/openapi.ts';
import { errorsReference, featuresReference, resourcesReference } from '../packages/service/src/docs/reference.ts';
import { metricsReference } from '../packages/service/src/docs/metrics.ts';
import { settingsReference } from '../packages/service/src/docs/settings.ts';
import { createRegistry } from '../packages/service/src/resource/registry.ts';
import { format, type FormatConfig } from 'oxfmt';
import { alertRules } from './alert-rules.ts';
import { clientRecords } from './client-records.ts';
import { contentsReference } from './contents-reference.ts';
import { customElementsManifest } from './custom-elements.ts';
import { embedReference } from './embed-reference.ts';
import { dialectsReference } from './engines/dialects-reference.ts';
import { grafanaDashboard } from './grafana-dashboard.ts';
import { themesReference } from './themes-reference.ts';
import { resources } from '../packages/service/src/resources/index.ts';

/** Returns the reference pages by file name, as they follow from the declarations, the catalogue and the settings. */
export function referencePages(): Readonly<Record<string, string>> {
  const registry = createRegistry(resources);
  return {
    'resources.md': resourcesReference(registry),
    'errors.md': errorsReference(),
    'features.md': featuresReference(registry),
    'settings.md': settingsReference(),
    'providers.md': providersReference(),
    'dialects.md': dialectsReference(),
    'contents.md': contentsReference(),
    'embed.md': embedReference(),
    'custom-elements.json': customElementsManifest(),
    'themes.md': themesReference(),
    'metrics.md': metricsReference(),
    'grafana.json': grafanaDashboard(),
    'alerts.yml': alertRules(),
    'openapi.json': `${JSON.stringify(openApi(registry), null, 2)}\n`,
  };
}

/** The folder the pages stand in. */
export const referenceFolder = join(import.meta.dirname, '../docs/reference');

/** The types of the records in the client package. */
export const recordsFile = join(import.meta.dirname, '../packages/client/src/records.ts');

/** Returns the types of the records, formatted as the sources are. */
export async function recordTypes(): Promise<string> {
  const options: FormatConfig = JSON.parse(readFileSync(join(import.meta.dirname, '../.oxfmtrc.json'), 'utf8'));
  const { code } = await format(recordsFile, clientRecords(openApi(createRegistry(resources))), options);
  return code;
}

if (import.meta.main) {
  mkdirSync(referenceFolder, { recursive: true });
  for (const [name, text] of Object.entries(referencePages())) writeFileSync(join(referenceFolder, name), text);
  writeFileSync(recordsFile, await recordTypes());
  console.log(`Wrote ${Object.keys(referencePages()).join(', ')} in docs/reference.`);
}
