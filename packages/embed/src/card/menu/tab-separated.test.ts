import { expect, it } from 'vitest';
import { tabSeparated } from './tab-separated.ts';

it('rows are copied as spreadsheets take them, and nothing in them is computed there', () => {
  const columns = ['Product', 'Revenue'];
  const texts = [
    ['Apples', '1,234.50 €'],
    ['two\nlines', '-5'],
    ['a "quoted" word', '+1.5'],
    ['tab\there', ''],
    ['=HYPERLINK("https://evil.example")', '-2+3'],
    ['@SUM(1)', '+cmd|x'],
  ];
  expect(tabSeparated(columns, texts).split(/\n(?=(?:[^"]*"[^"]*")*[^"]*$)/u)).toEqual([
    'Product\tRevenue',
    'Apples\t1,234.50 €',
    '"two\nlines"\t-5',
    '"a ""quoted"" word"\t+1.5',
    '"tab\there"\t',
    `"'=HYPERLINK(""https://evil.example"")"\t'-2+3`,
    "'@SUM(1)\t'+cmd|x",
  ]);
});
