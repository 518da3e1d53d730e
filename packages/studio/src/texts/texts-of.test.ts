import { emptyContents, listOr, objectOr, type JsonObject } from '@inlay/contract';
import { apply, describe as sentence, diff, invert, DashboardModel } from '@inlay/contract/change';
import { describe, expect, it } from 'vitest';
import { languagesOf, textIn, textsOf, translation } from './texts-of.ts';

const item = {
  id: 'bars',
  type: 'bar-chart',
  position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
  title: { en: 'Products', fr: 'Produits' },
  options: { description: 'By revenue', references: [{ value: 5, label: { en: 'Goal' } }], legend: 'top' },
  slots: [{ name: 'measure', content: [{ id: 'm', columnId: 'c', datasetId: 'd', label: { en: 'Revenue' } }] }],
  filters: [{ id: 'f', expression: '? = ?', parameters: [], properties: { label: { en: 'Region' } } }],
};
const views = listOr(emptyContents()['views']).map((view, index) => ({
  ...objectOr(view),
  items:
    index === 2 ? [] : [item, { ...item, id: 'tabs', type: 'tabs', title: '', options: {}, slots: [], filters: [] }],
}));
const model = DashboardModel.read(JSON.stringify({ ...emptyContents(), views }));

describe('the texts of a dashboard', () => {
  const texts = textsOf(model, 'desktop');

  it('are those of items, entries, filters and lists in options', () => {
    expect(texts.map(({ within, path, inner }) => [within, ...path, ...inner].join(' '))).toEqual([
      ' title',
      ' options description',
      ' options references 0 label',
      '/slot:measure/entry:m label',
      '/filter:f properties label',
    ]);
    expect(languagesOf(texts)).toEqual(['en', 'fr']);
    expect(texts.map((text) => textIn(text, 'fr'))).toEqual(['Produits', null, null, null, null]);
  });

  it('are set in one language in all views, and can be taken back to the byte', () => {
    for (const [index, text] of texts.entries()) {
      const change = translation(model, 'desktop', text, 'en', 'de', `Text ${index}`);
      const after = apply(model, change);
      expect(
        textsOf(after, 'desktop')
          .map((one) => textIn(one, 'de'))
          .filter((one) => one !== null),
      ).toEqual([`Text ${index}`]);
      expect(textsOf(after, 'tablet')).toEqual(textsOf(after, 'desktop'));
      expect(textIn(textsOf(after, 'desktop')[index] ?? text, 'en')).not.toBe(null);
      expect(apply(after, invert(model, change)).text).toBe(model.text);
      expect(sentence(change, model, 'en')).not.toBe('');
    }
  });

  it('lose a language that is emptied, and no other', () => {
    const [title] = texts;
    if (title === undefined) throw new Error('there is no title');
    const after = apply(model, translation(model, 'desktop', title, 'en', 'fr', ''));
    const titleOf = (one: DashboardModel): JsonObject =>
      objectOr(objectOr(one.find('view:desktop/item:bars')?.value)['title']);
    expect(titleOf(after)).toEqual({ en: 'Products' });
    expect(diff(after, apply(after, translation(after, 'desktop', title, 'en', 'es', '')))).toEqual([]);
  });
});
