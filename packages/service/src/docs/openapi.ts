import { apiVersion, isObject, type Json, type JsonObject } from '@inlay/contract';
import { describeRole } from '../declare/roles.ts';
import {
  associationSchema,
  componentOf,
  findSchema,
  linkSchema,
  openAssociations,
  propertiesSchema,
  recordSchema,
  rowSchema,
  schemaRef,
} from './schema.ts';
import { withTitled, withTypes } from './components.ts';
import { otherPaths } from './other-paths.ts';
import { isWarningMember } from '../declare/warnings.ts';
import type { Resource } from '../resource/define.ts';
import type { Registry } from '../resource/registry.ts';
import { methodsOf } from '../pipeline/identify.ts';
import { explainRows, operationsOf, roleFor, saysWho, varietyOfPath, type OperationName } from './describe.ts';
import {
  fixedSchemas,
  headers,
  parameters,
  problemRefs,
  problemResponses,
  problemSchemas,
  securitySchemes,
  preferLater,
  successHeaders,
  taskHeaders,
} from './fixed-components.ts';
import { isNamed, requestExample, requestSchema, withCredentials, type DescribedPath } from './requests.ts';
import { isStored } from '../declare/declaration.ts';

const title = (operation: OperationName): string => componentOf(operation);
const byAction = ({ path }: DescribedPath, operation: OperationName): string =>
  `${componentOf(path)}${title(operation)}Request`;

/** Returns the component for the successful answer of an operation. */
function answerOf({ path, resource }: DescribedPath, operation: OperationName): string {
  const name = componentOf(path);
  const { answers, served, shownOnce } = resource;
  const hasCreatedAnswer = answers !== undefined || served !== undefined || shownOnce !== undefined;
  if (operation === 'create') return hasCreatedAnswer ? `${name}Created` : name;
  if (operation === 'get' && served !== undefined) return `${name}Answer`;
  if (operation === 'get') return `${name}Row`;
  if (operation === 'search') return `${name}Found`;
  return operation === 'delete' || operation === 'validate' ? 'Deleted' : name;
}

function createdSchema({ resource, variety }: DescribedPath): JsonObject {
  const answers = resource.served?.create?.answers ?? resource.answers;
  if (answers !== undefined) return answers;
  const record = recordSchema(resource, variety);
  const shownOnce = Object.entries(resource.shownOnce ?? {}).map(
    ([name, { description: sentence, required }]): [string, Json] => [
      name,
      { type: required ? 'string' : ['string', 'null'], description: sentence },
    ],
  );
  const properties = record['properties'] ?? null;
  const shownOnceProperties: JsonObject = Object.fromEntries(shownOnce);
  const allProperties: JsonObject = { ...(isObject(properties) ? properties : {}), ...shownOnceProperties };
  const requiredNames = Object.keys(allProperties).filter((name) => !isWarningMember(name));
  return { ...record, properties: allProperties, required: requiredNames };
}

function schemasOf(registry: Registry, described: DescribedPath): JsonObject {
  const { path, resource, variety } = described;
  const name = componentOf(path);
  const operations = operationsOf(resource, variety);
  const associations = openAssociations(resource, variety);
  const schemas: Record<string, Json> = {};
  for (const operation of operations) schemas[byAction(described, operation)] = requestSchema(operation, described);
  if (isStored(resource)) {
    const record = recordSchema(resource, variety);
    schemas[name] = record;
    schemas[`${name}Row`] = rowSchema(resource, record);
    schemas[`${name}Found`] = {
      description: 'The rows that match and may be seen; `count` is how many there are before `limit`.',
      type: 'object',
      properties: {
        count: { type: ['integer', 'null'], minimum: 0 },
        rows: { type: 'array', items: schemaRef(`${name}Row`) },
      },
      required: ['count', 'rows'],
      additionalProperties: false,
    };
    schemas[`${name}Find`] = findSchema(resource);
  }
  const servedGet = resource.served?.get;
  if (servedGet?.find !== undefined) {
    schemas[`${name}Find`] = servedGet.find;
    schemas[`${name}Answer`] = servedGet.answers;
  }
  for (const operation of ['create', 'update'] as const) {
    if (operations.includes(operation))
      schemas[`${name}${title(operation)}`] = propertiesSchema(resource, operation, variety);
  }
  if (associations.length > 0) {
    schemas[`${name}Association`] = associationSchema(resource, schemaRef(`${name}Link`), variety);
    const links = associations.map(([, association]) => linkSchema(registry, association));
    const distinctLinks = [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
    schemas[`${name}Link`] = { description: 'Flags and properties of a link, by its role.', anyOf: distinctLinks };
  }
  const createdName = answerOf(described, 'create');
  if (operations.includes('create') && schemas[createdName] === undefined)
    schemas[createdName] = createdSchema(described);
  return schemas;
}

const shapes: Readonly<Record<OperationName, string>> = {
  create: '`properties` alone',
  get: '',
  search: '`find` alone',
  update: '`id` and `properties`',
  validate: '',
  delete: '',
  associate: '',
  dissociate: '`id` and `resource`',
};

function who({ resource, variety }: DescribedPath, operation: OperationName): string {
  const role = roleFor(resource, operation, variety);
  return role === undefined ? 'by association, see below' : saysWho(role);
}

function descriptionOf(described: DescribedPath): string {
  const { resource, variety } = described;
  const operations = operationsOf(resource, variety).map((operation) => {
    const shape = shapes[operation] === '' ? '' : ` Without \`action\`: a body with ${shapes[operation]}.`;
    return `- **${operation}**: ${who(described, operation)}.${shape}`;
  });
  const explainers = explainRows(resource).map(([operation, by]) => `- **${operation}**: ${by}.`);
  const links = openAssociations(resource, variety).map(
    ([role, { to, roleHere: ownRole, roleThere: target }]) =>
      `- **${role}** to ${to}: ${describeRole(ownRole)}; on the ${to}: ${describeRole(target)}.`,
  );
  const rules = (resource.rules ?? []).map(({ description: sentence, on }) => `- ${sentence} (${on.join(', ')})`);
  const section = (heading: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`**${heading}**\n\n${lines.join('\n')}`];
  return [
    resource.description,
    ...section('Who may', [...operations, ...explainers]),
    ...section('Associations, with the role on each side', links),
    ...section('Rules', rules),
    'A field that only the service sets may be sent back with the value it has.',
  ].join('\n\n');
}

/** Returns the content types besides JSON that a handler may answer with. */
const otherTypes = (served: Resource['served']): JsonObject =>
  Object.fromEntries(
    Object.values(served ?? {})
      .flatMap(({ types = [] }) => types)
      .map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
  );

/** HTTP methods that imply an operation and that OpenAPI supports. Other methods are only mentioned in texts. */
const operationOf = { patch: 'update', delete: 'delete' } as const;

const parameterRefs = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** Describes an operation that an HTTP method selects. Its body needs no `action`. */
function byMethod(described: DescribedPath, method: keyof typeof operationOf): JsonObject {
  const operation = operationOf[method];
  return {
    operationId: `${described.path}-${method}`,
    tags: [described.resource.name],
    parameters: parameterRefs,
    summary: `${title(operation)}s a record: the same as POST with \`"action": "${operation}"\`.`,
    description: `${described.resource.description}\n\nBy ${who(described, operation)}. The body need not have \`action\`; POST says which associations and rules there are.`,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: isNamed(operation)
            ? schemaRef(byAction(described, operation))
            : withTypes(requestSchema(operation, described, true)),
          examples: { [operation]: { value: requestExample(operation, described) } },
        },
      },
    },
    responses: {
      200: {
        description: 'Done.',
        headers: successHeaders,
        content: { 'application/json': { schema: schemaRef(answerOf(described, operation)) } },
      },
      ...problemRefs(),
    },
  };
}

/** The answer when a task runs the operation later. */
const taskAnswer: JsonObject = {
  description: 'A task does the work.',
  headers: taskHeaders,
  content: { 'application/json': { schema: schemaRef('Task') } },
};

function pathOf(described: DescribedPath): JsonObject {
  const { path, resource, variety } = described;
  const operations = operationsOf(resource, variety);
  const requests = operations.map((operation) => schemaRef(byAction(described, operation)));
  const answers = [...new Set(operations.map((operation) => answerOf(described, operation)))];
  const examples = operations.map((operation) => [
    operation,
    { summary: operation, value: requestExample(operation, described) },
  ]);
  const schema = { anyOf: [...requests, schemaRef('RequestWithCredentials')] };
  const mayBeLater = Object.values(resource.served ?? {}).some((spec) => spec.mayBeLater === true);
  return {
    post: {
      operationId: path.replaceAll('_', '-'),
      summary: resource.description,
      description: descriptionOf(described),
      tags: [resource.name],
      parameters: mayBeLater ? [...parameterRefs, preferLater] : parameterRefs,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
      },
      responses: {
        200: {
          description: 'Done.',
          headers: successHeaders,
          content: {
            'application/json': { schema: { anyOf: answers.map(schemaRef) } },
            ...otherTypes(resource.served),
          },
        },
        ...(mayBeLater ? { 202: taskAnswer } : {}),
        ...problemRefs(),
      },
      'x-inlay-operations': Object.fromEntries(
        operations.map((operation) => [
          operation,
          { by: who(described, operation), answer: schemaRef(answerOf(described, operation)) },
        ]),
      ),
    },
    ...(operations.includes('update') ? { patch: byMethod(described, 'patch') } : {}),
    ...(operations.includes('delete') ? { delete: byMethod(described, 'delete') } : {}),
    'x-inlay-methods': methodsOf(resource),
  };
}

/** Creates the OpenAPI 3.1 document of the API, generated from the declarations. */
export function openApi(registry: Registry): JsonObject {
  const described = [...registry.paths.values()].map((path) => ({
    path: path.name,
    resource: path.resource,
    variety: varietyOfPath(path),
  }));
  const schemas = described.map((path) => schemasOf(registry, path));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inlay',
      version: apiVersion,
      description:
        'Embedded analytics behind one HTTP and JSON API. Every operation is a POST of one JSON object; `action` names it. Where it is absent, PATCH, DELETE, SEARCH, LINK and UNLINK name update, delete, get, associate and dissociate (`x-inlay-methods`).',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { basic: [] }, {}],
    tags: registry.resources.map(({ name, description: sentence }) => ({ name, description: sentence })),
    paths: {
      ...Object.fromEntries(described.map((path) => [`/${apiVersion}/${path.path}`, pathOf(path)])),
      ...otherPaths,
    },
    components: {
      schemas: withTitled(
        Object.assign({}, fixedSchemas, problemSchemas(), { RequestWithCredentials: withCredentials }, ...schemas),
      ),
      responses: problemResponses(),
      headers,
      parameters,
      securitySchemes,
    },
  };
}
