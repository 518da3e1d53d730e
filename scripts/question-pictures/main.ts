import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw } from '../../packages/service/src/export/drawing/drawing.ts';
import { jobOf } from '../../packages/service/src/gallery/job.ts';
import { pngOfSvg } from '../option-pictures/draw.ts';
import { answersToQuestions, type PicturedAnswer } from './answers.ts';
import { pageFile, pageOf, picturesFolder } from './page.ts';

// npm run pictures:questions: asks the questions of the guide, and draws their charts as the service draws exports.
const [widthPx, heightPx] = [560, 300];

async function pictureOf({ question, sample }: PicturedAnswer): Promise<Uint8Array> {
  const look = { theme: 'default', locale: question.locale ?? 'en', widthPx, heightPx };
  const { job, filled } = jobOf(sample, look, 'svg');
  return pngOfSvg(new TextDecoder().decode(await draw(job, [filled])));
}

const answers = await answersToQuestions();
rmSync(picturesFolder, { recursive: true, force: true });
mkdirSync(picturesFolder, { recursive: true });
for (const answer of answers)
  writeFileSync(join(picturesFolder, `${answer.question.name}.png`), await pictureOf(answer));
writeFileSync(pageFile, pageOf(answers));
console.log(`Drew ${answers.length} pictures in docs/pictures/questions.`);
