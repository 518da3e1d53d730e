import { otherNames } from '../declare/declaration.ts';
import { apiVersion } from '@inlay/contract';
import { describeRole } from '../declare/roles.ts';
import type { Association, Resource } from '../resource/define.ts';
import { storedSide, type Registry } from '../resource/registry.ts';
import { explainRows, fieldRows, operationsOf, roleFor, saysWho } from './describe.ts';
import { html, prose, table, type Html } from './html.ts';

/** Describes how to use an association: its flags and properties, or that it is read-only. */
export function linkWords(registry: Registry, association: Association): string {
  if (association.readOnly === true) return 'Only in `include`.';
  const { levels, properties = {} } = storedSide(registry, association);
  const members = [...Object.keys(levels?.flags ?? {}), ...Object.keys(properties)];
  return [
    ...(members.length === 0 ? [] : [`Properties: ${members.map((name) => `\`${name}\``).join(', ')}.`]),
    ...(association.callerOnly === true ? ['Only to oneself.'] : []),
    ...(association.single === true ? ['At most one.'] : []),
    ...(association.of === undefined ? [] : [`Of a ${association.of.join(' or ')}.`]),
  ].join(' ');
}

export const roleRows = (resource: Resource): readonly (readonly [string, string])[] => [
  ...operationsOf(resource).map((operation) => {
    const role = roleFor(resource, operation);
    return [operation, role === undefined ? 'Both roles that the association names' : saysWho(role)] as const;
  }),
  ...explainRows(resource),
];

function associationsOf(registry: Registry, resource: Resource): Html {
  const entries = Object.entries(resource.associations ?? {});
  if (entries.length === 0) return html``;
  const rows = entries.map(([role, association]) => [
    html`<code>${role}</code>`,
    html`<a href="#resource-${association.to}">${association.to}</a>`,
    html`${describeRole(association.roleHere)}`,
    html`${describeRole(association.roleThere)}`,
    prose(linkWords(registry, association)),
  ]);
  return table(`Associations of ${resource.name}`, ['Role', 'Leads to', 'Role here', 'Role there', 'Use'], rows);
}

function rulesOf({ rules = [] }: Resource): Html {
  if (rules.length === 0) return html``;
  const items = rules.map(
    ({ description: sentence, on }) =>
      html`<li>${prose(sentence)} <span class="source">(${on.join(', ')})</span></li> `,
  );
  return html`<h4>Rules</h4>
    <ul>
      ${items}
    </ul> `;
}

export function resourceSection(registry: Registry, resource: Resource): Html {
  const { name, description: sentence, example } = resource;
  const paths = otherNames(resource).map((word) => html`, <code>/${apiVersion}/${word}</code>`);
  const fields = fieldRows(resource).map((row) => [
    html`<code>${row.name}</code>`,
    html`${row.type}`,
    html`${row.accepted}`,
    prose(row.initial),
    prose(row.notes),
  ]);
  const roles = roleRows(resource).map(([operation, who]) => [prose(operation), html`${who}`]);
  const isCreatable = operationsOf(resource).includes('create');
  const createExample = isCreatable
    ? html`<h4>Example of a create</h4>
        <pre tabindex="0"><code>POST /${apiVersion}/${name}
${JSON.stringify({ action: 'create', properties: example }, null, 2)}</code></pre> `
    : html``;
  const served = resource.served?.get?.example;
  const question =
    served === undefined
      ? html``
      : html`<h4>Example of a get</h4>
          <pre tabindex="0"><code>POST /${apiVersion}/${name}
${JSON.stringify({ action: 'get', find: served }, null, 2)}</code></pre> `;
  return html`<section aria-labelledby="resource-${name}">
    <h3 id="resource-${name}">${name}</h3>
    <p>${prose(sentence)} <code>/${apiVersion}/${name}</code>${paths}</p>
    ${table(`Fields of ${name}`, ['Field', 'Type', 'Accepted on', 'Default', 'Notes'], fields)}
    ${table(`Who may use ${name}`, ['Operation', 'Who'], roles)}
    ${associationsOf(registry, resource)}${rulesOf(resource)}${createExample}${question}
  </section> `;
}
