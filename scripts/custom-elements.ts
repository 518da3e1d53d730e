import type { Json, JsonObject } from '@inlay/contract';
import {
  editorPanels,
  events,
  methodsOf,
  panelProperties,
  propertiesOf,
  type ElementName,
  type Member,
} from './embed-reference.ts';

interface DescribedElement {
  readonly tag: string;
  readonly says: string;
  readonly properties: readonly Member[];
  readonly methods: readonly Member[];
  readonly events: readonly Member[];
}

const classNameOf = (tag: string): string =>
  tag
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

const described = (tag: ElementName, says: string, own: readonly Member[]): DescribedElement => ({
  tag,
  says,
  properties: propertiesOf(tag),
  methods: methodsOf(tag),
  events: own,
});

/** The elements by the script that defines them. */
const elementsOfScripts = (): Readonly<Record<string, readonly DescribedElement[]>> => ({
  'embed/inlay.js': [
    described('inlay-dashboard', 'A dashboard of the service in any page.', events()),
    described('inlay-item', 'One chart or filter from its type, slots and options.', events()),
  ],
  'embed/editor.js': [
    described('inlay-editor', 'People arrange and change a dashboard in any page.', events('studio/src/editor/events')),
    described('inlay-grid', 'A view of a dashboard whose items can be moved, resized and selected.', events()),
    ...editorPanels().map(({ name, says }) => ({
      tag: name,
      says,
      properties: panelProperties(),
      methods: [],
      events: [],
    })),
  ],
});

const declarationOf = ({ tag, says, properties, methods, events: sent }: DescribedElement): JsonObject => ({
  kind: 'class',
  customElement: true,
  name: classNameOf(tag),
  tagName: tag,
  description: says,
  attributes: properties.flatMap(({ name, attribute, type, says: description }): readonly Json[] =>
    attribute === null ? [] : [{ name: attribute, fieldName: name, type: { text: type }, description }],
  ),
  members: [
    ...properties.map(({ name, type, says: description }) => ({
      kind: 'field',
      name,
      type: { text: type },
      description,
    })),
    ...methods.map(({ name, type, says: description }) => ({
      kind: 'method',
      name,
      type: { text: type },
      description,
    })),
  ],
  events: sent.map(({ name, type, says: description }) => ({
    name,
    type: { text: `CustomEvent<${type}>` },
    description,
  })),
});

/** Returns the custom elements manifest (schema 1.0.0), which editors of code read, as JSON. */
export function customElementsManifest(): string {
  const modules = Object.entries(elementsOfScripts()).map(([path, elements]) => ({
    kind: 'javascript-module',
    path,
    declarations: elements.map(declarationOf),
    exports: elements.map(({ tag }) => ({
      kind: 'custom-element-definition',
      name: tag,
      declaration: { name: classNameOf(tag), module: path },
    })),
  }));
  return `${JSON.stringify({ schemaVersion: '1.0.0', modules }, null, 2)}\n`;
}
