import { either, repeated, type Part } from './request.ts';

/** Small records with long texts, lists and formulas in them. */
export const texts: Part = (stage, { ask }) => {
  const { facts, owner } = stage;
  const css = (piece: string): string => repeated(piece, 65_000);
  const embed = (more: object): object => ({
    action: 'create',
    properties: {
      type: 'embed',
      username: 'x',
      name: 'x',
      email: 'x@example.com',
      role: 'viewer',
      access: { datasets: [{ id: facts.id, rights: 'use' }] },
      ...more,
    },
  });
  const id = facts.columns['amount'] ?? '';
  const accesses = Array.from({ length: 1_000 }, () => ({ id: facts.id, rights: 'use' }));
  const formula = `sum({${id}})${repeated(' + 1', 780)}`;
  return [
    ask('CSS of 64 KB', 'authorization', embed({ css: css('.a{color:#123456}') }), either),
    ask('CSS of 64 KB of comments', 'authorization', embed({ css: css('/* ') }), either),
    ask('CSS of 64 KB of brackets', 'authorization', embed({ css: css('a{b:url(') }), either),
    ask('CSS of 64 KB of backslashes', 'authorization', embed({ css: css('\\5c ') }), either),
    ask('1,000 rights in a token', 'authorization', embed({ access: { datasets: accesses } }), either),
    ask(
      'a theme of long texts',
      'theme',
      {
        properties: {
          theme: {
            type: 'custom',
            colors: Array.from({ length: 5_000 }, () => 'rgba(1,2,3,0.5)'),
            background: 'x'.repeat(100_000),
          },
        },
      },
      either,
    ),
    ask(
      'formula of a dataset',
      'formula',
      { properties: { securable_id: facts.id, name: { en: 'F' }, expression: formula } },
      either,
    ),
    ask(
      'expression of a column',
      'column',
      {
        properties: {
          securable_id: facts.id,
          type: 'numeric',
          name: { en: 'C' },
          expression: `{${id}}${repeated(' + 1', 780)}`,
        },
      },
      either,
    ),
    ask(
      '500 associations',
      'dashboard',
      { properties: {}, associations: Array.from({ length: 500 }, () => ({ role: 'Datasets', id: facts.id })) },
      either,
    ),
    ask(
      'a question with 20 others',
      'aichart',
      {
        properties: {
          dataset_id: facts.id,
          type: 'generate-chart',
          question: repeated('amount by leaf per month ', 4_090),
          message_history: Array.from({ length: 20 }, () => 'by a '.repeat(800)),
        },
      },
      [...either, 403],
      owner,
    ),
    ask(
      'names in 200 languages',
      'dashboard',
      {
        properties: {
          name: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 'n'.repeat(250)])),
        },
      },
      either,
    ),
    ask('what a page needs', 'appearance', { action: 'get', id: stage.filled[1], properties: {} }, either),
  ];
};
