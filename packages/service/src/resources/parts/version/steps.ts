import { inWords, isList, isObject, unknownWord, type Fault, type Json, type JsonObject } from '@inlay/contract';
import { ChangeError, readChange } from '@inlay/contract/change';

const maxSteps = 1000;
const maxTotalLength = 2_000_000;
const maxLabelLength = 500;

/** Checks the form of a change of contents. specification/dashboards#changes */
export function checkChange(value: Json, at: string, fault: Fault): void {
  try {
    readChange(value);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    for (const { operation, message } of error.faults)
      fault(
        operation === null ? at : `${at}[${operation}]`,
        `${message}; docs/specification/dashboards.md#changes has the form of changes`,
      );
  }
}

const checks: Readonly<Record<string, (value: Json, at: string, fault: Fault) => void>> = {
  label: (value, at, fault) => {
    if (typeof value !== 'string' || value.length > maxLabelLength)
      fault(at, `must be a text of at most ${maxLabelLength} characters`);
  },
  change: checkChange,
  inverse: checkChange,
  at: (value, at, fault) => {
    if (typeof value !== 'string' || value.length > 40 || Number.isNaN(Date.parse(value)))
      fault(at, `must be a time such as "2026-07-01T09:30:00.000Z", not "${inWords(value).slice(0, 100)}"`);
  },
  undone: (value, at, fault) => {
    if (typeof value !== 'boolean') fault(at, 'must be true or false');
  },
};
const required = ['change', 'at'] as const;

/** Checks the steps of a draft: their shape, number and size. specification/dashboards#drafts */
export function checkSteps(value: Json, at: string, fault: Fault): void {
  if (!isList(value)) return;
  if (value.length > maxSteps) return fault(at, `must have at most ${maxSteps} steps: merge the oldest`);
  if (JSON.stringify(value).length > maxTotalLength)
    return fault(at, `must have at most ${maxTotalLength} characters as JSON: merge the oldest steps`);
  value.forEach((step, index) => {
    const place = `${at}[${index}]`;
    if (!isObject(step)) return fault(place, 'must be an object {label, change, inverse, at, undone}');
    for (const name of required) if (!Object.hasOwn(step, name)) fault(`${place}.${name}`, 'is required');
    for (const [name, member] of Object.entries(step)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check === undefined) fault(`${place}.${name}`, unknownWord(name, Object.keys(checks)));
      else check(member ?? null, `${place}.${name}`, fault);
    }
  });
}

/** A change of contents, in schemas. */
export const changeShape = { type: 'array', items: { type: 'object' } } as const satisfies JsonObject;

export const stepsShape: JsonObject = {
  maxItems: maxSteps,
  items: {
    title: 'DraftStep',
    type: 'object',
    properties: {
      label: { type: 'string', maxLength: maxLabelLength },
      change: changeShape,
      inverse: changeShape,
      at: { type: 'string', format: 'date-time' },
      undone: { type: 'boolean' },
    },
    required: [...required],
  },
};
