import type { JsonObject } from '@inlay/contract';
import { describe, expect, it } from 'vitest';
import { useApi, type Made } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

interface Column extends JsonObject {
  readonly type: string;
  readonly name: JsonObject;
  readonly synonyms: JsonObject;
}

const columns: readonly Column[] = [
  { type: 'numeric', name: { en: 'Amt X1' }, synonyms: { nl: ['Klinkende munt'], fr: ['Commandes'] } },
  { type: 'numeric', name: { en: 'Turnover' }, synonyms: {} },
  { type: 'hierarchy', name: { en: 'Field 7' }, synonyms: { en: ['Zorgling', 'Place of care'] } },
  { type: 'hierarchy', name: { en: 'Region' }, synonyms: { en: [' '] } },
  { type: 'datetime', name: { en: 'Date' }, synonyms: {} },
];

describe.each(storesToTest)('synonyms of columns on %s', (store) => {
  const api = useApi(store);

  const dataset = async (): Promise<{ readonly id: string; readonly columns: readonly Made[] }> => {
    await api.update('organization', api.organizationId, { flag_experimental_ai: true });
    const { id } = await api.create('dataset', { name: { en: 'Visits' } });
    const made: Made[] = [];
    for (const [order, column] of columns.entries())
      made.push(await api.create('column', { ...column, securable_id: id, order }));
    return { id, columns: made };
  };

  it('name a column in a question of any language like its own name', async () => {
    const { id, columns: made } = await dataset();
    const questions: readonly (readonly [question: string, columns: readonly number[]])[] = [
      ['total klinkende munt by region', [0, 3]],
      ['klinkende munt per zorgling', [0, 2]],
      ['total des commandes par region', [0, 3]],
      ['Turnover by place of care', [1, 2]],
      ['KLINKENDE MUNT by Zorgling', [0, 2]],
    ];
    for (const [question, named] of questions) {
      const answer = await api.ok('aichart', {
        action: 'create',
        properties: { dataset_id: id, type: 'generate-chart', question },
      });
      const chart = JSON.stringify(answer['generatedChart']);
      const drawn = made.flatMap(({ id: column }, at) => (chart.includes(column) ? [at] : []));
      expect([question, drawn, answer['message']]).toEqual([question, named, undefined]);
    }
  });

  it('are found by key phrases as names are, also after a change', async () => {
    const { id, columns: made } = await dataset();
    const found = (keyphrase: string): Promise<readonly string[]> =>
      api.findIds('column', { where: { securable_id: id }, search: { keyphrase } });
    expect(await found('klinkende')).toEqual([made[0]?.id]);
    expect(await found('ZORG')).toEqual([made[2]?.id]);
    await api.update('column', made[2]?.id, { synonyms: { en: ['Station'] } });
    expect(await found('zorg')).toEqual([]);
    expect(await found('statio')).toEqual([made[2]?.id]);
    expect(await api.findIds('column', { where: { securable_id: id, synonyms: { isNull: true } } })).toEqual([]);
    await api.update('column', made[2]?.id, { synonyms: null });
    expect(await found('statio')).toEqual([]);
    const without = await api.findIds('column', { where: { securable_id: id, synonyms: { isNull: true } } });
    expect(without).toEqual([made[2]?.id]);
  });

  it('name every fault', async () => {
    const { id } = await api.create('dataset', {});
    const synonyms = {
      english: ['x'],
      en: ['fine', 7, 'y'.repeat(101)],
      nl: 'omzet',
      fr: Array.from({ length: 21 }, (_, at) => `mot ${at}`),
    };
    const refusal = await api.refused('column', {
      action: 'create',
      properties: { securable_id: id, type: 'numeric', synonyms },
    });
    expect(refusal.status).toBe(400);
    expect(refusal.validation).toEqual({
      'properties.synonyms.english': ['is not a language code such as "en" or "nl-BE"'],
      'properties.synonyms.en[1]': ['must be a text'],
      'properties.synonyms.en[2]': ['must have at most 100 characters'],
      'properties.synonyms.nl': ['must be a list of texts'],
      'properties.synonyms.fr': ['must have at most 20 texts'],
    });
  });
});
