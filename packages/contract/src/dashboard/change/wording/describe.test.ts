import fc from 'fast-check';
import { describe as group, expect, it } from 'vitest';
import { changeOn, draws, texts } from '../../../../../../test/support/arbitrary-change.ts';
import { counted } from '../../../../../../test/support/counts.ts';
import { DashboardModel } from '../../model/model.ts';
import { apply, invert } from '../apply.ts';
import { setMember, type Change, type Operation } from '../operation.ts';
import { describe } from './describe.ts';
import { changeLanguages, changeWordsFor } from './words.ts';

const model = DashboardModel.read(`{"views":[{"screenModus":"desktop",
  "filterGroups":[{"id":"g","filters":[{"id":"f","parameters":[{"column_id":"c","dataset_id":"d"},"x"]}]}],
  "items":[
    {"id":"a","type":"bar-chart","title":{"en":"Sales","fr":"Ventes"},"position":{"col":0,"row":0,"sizeX":4,"sizeY":4},
     "slots":[{"name":"y-axis","content":[{"id":"e","columnId":"c","label":{"en":"Country","fr":"Pays"}}]},
              {"name":"measure","content":[{"id":"m","formula":"sum({x})","label":"Profit {n} $&"}]}]},
    {"id":"b","type":"line-chart","title":"Costs","position":{"col":4,"row":0,"sizeX":4,"sizeY":4}},
    {"id":"c","type":"slicer-filter","position":{"col":8,"row":0,"sizeX":4,"sizeY":4}}]}]}`);
const at = (id: string): string => `view:desktop/item:${id}`;
const place = (col: number, sizeX: number) => ({ col, row: 0, sizeX, sizeY: 4 });
const filter = '{"parameters":[{"column_id":"c","dataset_id":"d"},"y"]}';
const moved = (id: string): Operation => setMember(at(id), ['position'], place(20, 4));

group('the sentence about a change', () => {
  it.each<[string, Change]>([
    ['Nothing changed', []],
    ['Moved Sales', [moved('a')]],
    ['Resized Sales', [setMember(at('a'), ['position'], place(0, 8))]],
    ['Renamed “Sales” to “Revenue”', [setMember(at('a'), ['title', 'en'], 'Revenue')]],
    ['Changed the title of Sales', [setMember(at('a'), ['title', 'nl'], 'Omzet')]],
    ['Changed the type of Sales', [setMember(at('a'), ['type'], 'column-chart')]],
    ['Changed the look of Sales', [setMember(at('a'), ['options'], { legend: 'top' })]],
    ['Changed the data of Costs', [setMember(at('b'), ['options'], { limit: 3 })]],
    ['Removed a filter without a title', [{ kind: 'remove', part: at('c') }]],
    [
      'Added {name} $&',
      [{ kind: 'insert', parent: 'view:desktop', list: 'items', after: null, text: '{"id":"n","title":"{name} $&"}' }],
    ],
    [
      'Changed the order of Sales',
      [{ kind: 'move', part: at('a'), parent: 'view:desktop', list: 'items', after: 'c' }],
    ],
    ['Changed Country in Sales', [setMember(`${at('a')}/slot:y-axis/entry:e`, ['level'], 2)]],
    ['Removed Country from Sales', [{ kind: 'remove', part: `${at('a')}/slot:y-axis/entry:e` }]],
    ['Changed a formula of Sales', [setMember(`${at('a')}/slot:measure/entry:m`, ['formula'], 'sum({y})')]],
    ['Added a filter on Country', [{ kind: 'insert', parent: at('a'), list: 'filters', after: null, text: filter }]],
    ['Changed the filter on Country', [setMember('view:desktop/group:g/filter:f', ['expression'], '? = ?')]],
    ['Removed the filter on Country', [{ kind: 'remove', part: 'view:desktop/group:g' }]],
    ['Changed the dashboard', [setMember('', ['parameters'], [])]],
    [
      'Added the view mobile',
      [{ kind: 'insert', parent: '', list: 'views', after: null, text: '{"screenModus":"mobile"}' }],
    ],
    ['Changed Sales', [moved('a'), setMember(at('a'), ['title', 'nl'], 'Omzet')]],
    ['Moved 3 items', [moved('a'), moved('b'), moved('c')]],
    ['Changed 2 items', [moved('a'), setMember(at('b'), ['title'], 'B')]],
    ['Changed the dashboard', [moved('a'), setMember('', ['parameters'], [])]],
  ])('is “%s”', (expected, change) => {
    expect(describe(change, model, 'en-GB')).toBe(expected);
  });

  it('is in the language of the reader, with the names in that language', () => {
    const change = [setMember(at('a'), ['title', 'fr'], 'Recettes')];
    expect(describe(change, model, 'fr-BE')).toBe('« Ventes » renommé en « Recettes »');
    expect(describe([moved('a')], model, 'nl')).toBe('Sales verplaatst');
    expect(describe([moved('c')], model, 'de')).toBe('Filter ohne Titel verschoben');
    expect(describe([moved('a')], model, 'es')).toBe('Se movió Sales');
    expect(describe([moved('a'), moved('b')], model, 'ar')).toBe('عدد العناصر المنقولة: 2');
    expect(describe([moved('a')], model, 'ja')).toBe('Moved Sales');
  });

  it('says what is hidden and locked, and what no longer is', () => {
    const flag = (name: string, value: boolean): Change => [setMember(at('a'), [name], value)];
    expect(describe(flag('hidden', true), model, 'en')).toBe('Hid Sales');
    expect(describe(flag('locked', true), model, 'de')).toBe('Sales gesperrt');
    const hidden = apply(model, flag('hidden', true));
    expect(describe(invert(model, flag('hidden', true)), hidden, 'en')).toBe('Showed Sales again');
  });

  it('calls a column without a label what the caller knows it by', () => {
    const text = '{"parameters":[{"column_id":"z","dataset_id":"d"},"y"]}';
    const added: Change = [{ kind: 'insert', parent: at('b'), list: 'filters', after: null, text }];
    expect(describe(added, model, 'en')).toBe('Added a filter on a column');
    const nameOf = (id: string): string => ({ z: 'Zone' })[id] ?? '';
    expect(describe(added, model, 'en', nameOf)).toBe('Added a filter on Zone');
    const joined = `{"or":[${text},${filter}]}`;
    const either: Change = [{ kind: 'insert', parent: at('b'), list: 'filters', after: null, text: joined }];
    expect(describe(either, model, 'en', nameOf)).toBe('Added a filter on Zone, Country');
  });

  it('has the same placeholders in every language', () => {
    const placeholders = (text: string): readonly string[] => (text.match(/\{\w+\}/gu) ?? []).toSorted();
    const english = Object.entries(changeWordsFor('en'));
    expect(changeLanguages).toEqual(['en', 'nl', 'fr', 'de', 'es', 'ar']);
    for (const language of changeLanguages) {
      const words = Object.entries(changeWordsFor(language));
      expect(words.map(([name, text]) => [name, placeholders(text)])).toEqual(
        english.map(([name, text]) => [name, placeholders(text)]),
      );
    }
  });

  it('is there for every change', () => {
    fc.assert(
      fc.property(texts, draws, fc.constantFrom(...changeLanguages), (text, all, language) => {
        const before = DashboardModel.read(text);
        expect(describe(changeOn(before, all).change, before, language).trim()).not.toBe('');
      }),
      { numRuns: counted(100, 5_000) },
    );
  });
});
