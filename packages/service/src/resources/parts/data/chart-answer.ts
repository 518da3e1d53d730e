import type { JsonObject } from '@inlay/contract';

const text: JsonObject = { type: 'string' };
const number: JsonObject = { type: 'number' };
const uuid: JsonObject = { type: 'string', format: 'uuid' };
const free: JsonObject = { type: 'object', additionalProperties: true };
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const object = (properties: Readonly<Record<string, JsonObject>>, optional: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const slotContent = object(
  { type: text, format: text, label: text, columnId: uuid, datasetId: uuid, formulaId: uuid, formula: text },
  ['format', 'columnId', 'formulaId', 'formula'],
);

const generatedChart = object(
  {
    type: text,
    position: object({ sizeX: number, sizeY: number, row: number, col: number }),
    title: { type: 'object', additionalProperties: text },
    options: object({ title: { type: 'object', additionalProperties: text } }),
    content: free,
    slots: list(object({ name: text, content: list(slotContent) })),
    filters: { ...list(free), description: 'The conditions of the question, as filters of the item.' },
    aichartId: uuid,
  },
  ['filters'],
);

const conditions: JsonObject = {
  ...list(object({ title: { type: 'object', additionalProperties: text }, filters: list(number) })),
  description:
    'The conditions that the chart has, as its title ends with them, and which of `generatedChart.filters` they are. A condition without a filter is part of the formulas of the measures.',
};

/** A suggested chart or filter, or example questions. */
export const chartAnswer: JsonObject = {
  description: 'A suggested chart or filter; for `generate-example-questions` the questions.',
  oneOf: [
    {
      title: 'SuggestedChart',
      ...object(
        {
          generatedChart,
          conditions,
          question: { type: ['string', 'null'] },
          message: { ...text, description: 'The assumptions, if the question could not be answered exactly.' },
          alternatives: {
            ...list(object({ generatedChart, conditions }, ['conditions'])),
            description: 'Other readings of a question that was not fully understood.',
          },
          explanation: {
            ...list(object({ rule: text, weight: number })),
            description: 'With `explain`: the rules that were applied.',
          },
          functionCall: text,
          functionResponse: {
            ...object({ title: text }),
            patternProperties: { '^s__': list(object({ id: text })) },
          },
        },
        ['conditions', 'message', 'alternatives', 'explanation'],
      ),
    },
    {
      title: 'SuggestedQuestions',
      ...object({ examples: list(object({ title: text, chartType: text, columnIds: list(uuid) })) }),
    },
  ],
};
