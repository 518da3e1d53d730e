import { parseArgs } from 'node:util';
import { say } from '../measure.ts';
import { ask, conversationBefore, datasetFor, keyOf } from './ask.ts';
import { readDomains, type Domain, type Question } from './domain.ts';
import { ExpectedAnswers } from './expected.ts';
import { reportLines, resultLines, type Result } from './report.ts';
import { Stage, type StageDataset } from './stage.ts';
import { judge } from './verdict.ts';

// Asks the questions of the domains and scores the rows that the answers show: npm run bench:questions --
// [--held-out] [--list] [--echo] [--domain hotels] [--kind computed] [--language nl] [--id hotels-3]
const { values: options } = parseArgs({
  options: {
    // Asks the questions that the engine was not improved on.
    'held-out': { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    // Sends the messages of earlier answers in the conversation too.
    echo: { type: 'boolean', default: false },
    domain: { type: 'string' },
    kind: { type: 'string' },
    language: { type: 'string' },
    id: { type: 'string' },
  },
});

const isChosen = ({ id, kind, language }: Question): boolean =>
  (options.id ?? id) === id && (options.kind ?? kind) === kind && (options.language ?? language) === language;

async function scoreDomain(stage: Stage, domain: Domain): Promise<readonly Result[]> {
  const expected = await ExpectedAnswers.open(domain);
  try {
    const datasets = new Map<string, StageDataset>();
    for (const table of domain.tables) datasets.set(table.name, await stage.upload(domain, table));
    const messages = new Map<string, string>();
    const historyOf = (question: Question): readonly string[] =>
      conversationBefore(domain, question).flatMap(({ id, text }) => {
        const message = options.echo ? messages.get(id) : undefined;
        return message === undefined ? [text] : [text, message];
      });
    const results: Result[] = [];
    const asked = new Set<string>();
    for (const question of domain.questions) {
      if (!isChosen(question) && !options.echo) continue;
      const dataset = datasetFor(domain, question, datasets);
      const isFirst = !asked.has(dataset.id);
      asked.add(dataset.id);
      const { outcome, tookMs } = await ask(stage, dataset, question, historyOf(question));
      if (outcome.message !== null) messages.set(question.id, outcome.message);
      if (!isChosen(question)) continue;
      const key = await keyOf(domain, question, expected, dataset.columns);
      results.push({ question, outcome, tookMs, isFirst, verdict: judge(question, key, outcome) });
    }
    return results;
  } finally {
    expected.close();
  }
}

const domains = readDomains(options['held-out'] ? 'held-out' : 'domains').filter(
  ({ name, questions }) => (options.domain ?? name) === name && questions.some(isChosen),
);
const results: Result[] = [];
for (const domain of domains) {
  const stage = await Stage.open(domain.today);
  try {
    results.push(...(await scoreDomain(stage, domain)));
  } finally {
    await stage.close();
  }
}
if (options.list) for (const line of resultLines(results)) say(line);
for (const line of reportLines(results)) say(line);
