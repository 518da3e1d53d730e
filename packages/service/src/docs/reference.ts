import { otherNames } from '../declare/declaration.ts';
import { apiVersion, embedRoles, featureNames, featureOf, type Feature } from '@inlay/contract';
import { describeRole } from '../declare/roles.ts';
import { catalogue } from '../problems/catalogue.ts';
import type { Resource } from '../resource/define.ts';
import type { Registry } from '../resource/registry.ts';
import { fieldRows } from './describe.ts';
import { linkWords, roleRows } from './page-resource.ts';

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |\n`;
  return `${line(heads)}${line(heads.map(() => '---'))}${rows.map(line).join('')}`;
}

function associations(registry: Registry, resource: Resource): string {
  const entries = Object.entries(resource.associations ?? {});
  if (entries.length === 0) return '';
  const rows = entries.map(([role, association]) => [
    `\`${role}\``,
    association.to,
    describeRole(association.roleHere),
    describeRole(association.roleThere),
    linkWords(registry, association),
  ]);
  return `\n### Associations of ${resource.name}\n\n${table(['Role', 'Leads to', 'Role here', 'Role there', 'Use'], rows)}`;
}

function rules({ name, rules: declared = [] }: Resource): string {
  if (declared.length === 0) return '';
  const lines = declared.map(({ description: sentence, on }) => `- ${sentence} (${on.join(', ')})\n`);
  return `\n### Rules of ${name}\n\n${lines.join('')}`;
}

function section(registry: Registry, resource: Resource): string {
  const { name, description: sentence } = resource;
  const paths = [name, ...otherNames(resource)].map((path) => `\`/${apiVersion}/${path}\``);
  const fields = fieldRows(resource).map((row) => [`\`${row.name}\``, row.type, row.accepted, row.initial, row.notes]);
  return `## ${name}

${sentence} ${paths.join(', ')}.

### Fields of ${name}

${table(['Field', 'Type', 'Accepted on', 'Default', 'Notes'], fields)}
### Who may use ${name}

${table(['Operation', 'Who'], roleRows(resource))}${associations(registry, resource)}${rules(resource)}`;
}

/** Returns every resource as Markdown: fields, roles, associations, rules. */
export const resourcesReference = (registry: Registry): string =>
  `# Resources

Written by \`npm run docs\` from the declarations in \`packages/service/src/resources\`.

${registry.resources.map((resource) => section(registry, resource)).join('\n')}`;

/** Returns what a feature governs, such as `share` create, update. */
const governedBy = (registry: Registry, feature: Feature): string =>
  registry.resources
    .flatMap(({ name, features = [] }) =>
      features
        .filter((use) => use.feature === feature)
        .map(({ on, of = name, what }) => `\`${of}\`: ${on.join(', ')}${what === undefined ? '' : ` ${what}`}`),
    )
    .join('; ');

/** Returns every feature of embed tokens as Markdown, with the operations that need it. */
export function featuresReference(registry: Registry): string {
  const rows = featureNames.map((name) => {
    const { allows, roles, withoutEffect } = featureOf(name) ?? { allows: '', roles: [] };
    return [
      `\`${name}\``,
      allows,
      ...embedRoles.map((role) => (roles.includes(role) ? 'on' : 'off')),
      withoutEffect === true ? 'nothing yet' : governedBy(registry, name),
    ];
  });
  return `# Features of embed tokens

Written by \`npm run docs\` from \`packages/contract/src/features.ts\` and the declarations in \`packages/service/src/resources\`.
[Rights](../specification/rights.md#features) say how \`feature_overrides\` switch them, [tenants](../guides/tenants.md#features) how to use them.

${table(['Feature', 'Allows to', ...embedRoles.map((role) => `By default: ${role}`), 'Needed by'], rows)}`;
}

/** Returns every error as Markdown, in the order of the catalogue. */
export function errorsReference(): string {
  const rows = Object.entries(catalogue).map(([code, { status, message, meaning }]) => [
    `\`${code}\``,
    String(status),
    message,
    meaning,
  ]);
  return `# Errors

Written by \`npm run docs\` from \`packages/service/src/problems/catalogue.ts\`. Every refusal has the body
\`{"type": {"code": 400, "description": "Bad Request"}, "message": "…", "code": "…", "validation": {"place": ["…"]}, "request_id": "…"}\`,
where \`validation\` is present only if specific fields of the request are invalid.

${table(['Code', 'Status', 'Message', 'Meaning'], rows)}`;
}
