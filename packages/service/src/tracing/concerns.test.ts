import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Concerns } from './concerns.ts';

it('a request concerns what its queries concern, each once and ten at most, and nothing that is no id', () => {
  const [organization, dataset] = [randomUUID(), randomUUID()];
  const request = new Concerns();
  request.note('organization', organization.toUpperCase());
  const query = request.part();
  query.note('dataset', dataset);
  query.note('dataset', 'no id');
  query.note('item', 'a text of somebody');
  query.note('item', randomBytes(32).toString('base64url'));
  expect(query.ids()).toEqual({ organization, dataset });
  expect(request.ids()).toEqual({ organization, dataset });
  const other = request.part();
  for (let count = 0; count < 20; count += 1) other.note('item', `item-${count % 12}`);
  expect(other.ids()['item']).toHaveLength(10);
  expect(query.ids()).not.toHaveProperty('item');
});
