import { join } from 'node:path';
import type { PicturedAnswer } from './answers.ts';

const docs = join(import.meta.dirname, '../../docs');

/** The page with the questions and their answers. */
export const pageFile = join(docs, 'guides/questions-and-charts.md');

/** The folder of the pictures. */
export const picturesFolder = join(docs, 'pictures/questions');

const quoted = (texts: readonly string[]): string => texts.map((text) => `“${text}”`).join(', then ');

function section({ question, title, message }: PicturedAnswer): string {
  const { kind, name, question: last, history = [] } = question;
  return [
    `## ${kind}`,
    '',
    quoted([...history, last]),
    '',
    `![${title}](../pictures/questions/${name}.png)`,
    ...(message === null ? [] : ['', `The answer says: _${message}_`]),
  ].join('\n');
}

/** Returns the page of questions and their answers. */
export const pageOf = (answers: readonly PicturedAnswer[]): string =>
  [
    '# Questions and their charts',
    '',
    'Written and drawn by `npm run pictures:questions`, which asks the engine about the data of the demo. [AI charts](ai-charts.md) has what else can be asked.',
    '',
    `${answers.map(section).join('\n\n')}\n`,
  ].join('\n');
