import { isObject, oneOf, unknownWord, type Fault, type Json, type JsonObject } from '@inlay/contract';

const minuteMs = 60_000;
const unitMs = { minutes: minuteMs, hours: 60 * minuteMs, days: 1440 * minuteMs, weeks: 10_080 * minuteMs } as const;
const units = ['minutes', 'hours', 'days', 'weeks'] as const;
const members = ['frequency_unit', 'frequency_quantity'];
const maxQuantity = 1000;

/** JSON schema of a frequency. */
export const frequencyShape: JsonObject = {
  title: 'Frequency',
  type: ['object', 'null'],
  properties: {
    frequency_unit: { type: 'string', enum: [...units] },
    frequency_quantity: { type: 'integer', minimum: 1, maximum: maxQuantity },
  },
  required: members,
  additionalProperties: false,
};

const isQuantity = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxQuantity;

/** Reports each fault of a frequency. */
export function checkFrequency(value: Json, at: string, fault: Fault): void {
  if (value === null) return;
  if (!isObject(value))
    return fault(at, 'must be an object such as {"frequency_unit": "hours", "frequency_quantity": 1}');
  const { frequency_unit: unit = null, frequency_quantity: quantity } = value;
  for (const name of Object.keys(value))
    if (!members.includes(name)) fault(`${at}.${name}`, unknownWord(name, members));
  if (!units.some((word) => word === unit)) fault(`${at}.frequency_unit`, oneOf(units, unit));
  if (!isQuantity(quantity)) fault(`${at}.frequency_quantity`, `must be a whole number from 1 to ${maxQuantity}`);
}

/** Returns the milliseconds between two runs; null if there is no frequency. */
export function frequencyMs(value: Json | undefined): number | null {
  if (value === undefined || !isObject(value)) return null;
  const { frequency_unit: unit, frequency_quantity: quantity } = value;
  const known = units.find((word) => word === unit);
  return known === undefined || !isQuantity(quantity) ? null : unitMs[known] * quantity;
}
