import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answersToQuestions } from '../../scripts/question-pictures/answers.ts';
import { pageFile, pageOf, picturesFolder } from '../../scripts/question-pictures/page.ts';

it('has the questions of the guide with what is answered; "npm run pictures:questions" writes them', async () => {
  const answers = await answersToQuestions();
  const page = pageOf(answers);
  expect(readFileSync(pageFile, 'utf8') === page, `the page is out of date; it would be:\n${page}`).toBe(true);
  for (const { question } of answers) {
    const picture = join(picturesFolder, `${question.name}.png`);
    expect(existsSync(picture), `${picture} is missing`).toBe(true);
    expect(statSync(picture).size).toBeLessThan(40_000);
  }
}, 120_000);
