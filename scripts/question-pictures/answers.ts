import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  inLanguage,
  isList,
  isObject,
  listIn,
  member,
  objectIn,
  onlyOf,
  queryFor,
  readCondition,
  readItem,
  textOr,
  type Json,
  type JsonObject,
} from '@inlay/contract';
import pino from 'pino';
import { buildApp, type App } from '../../packages/service/src/app/app.ts';
import { openStore } from '../../packages/service/src/app/store/open-store.ts';
import { callerOfAuthorization } from '../../packages/service/src/callers/caller-of.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { readSavedDemo, type SavedDemo } from '../../packages/service/src/demo/saved-demo.ts';
import type { Sample } from '../../packages/service/src/gallery/samples.ts';
import { callAs } from '../../packages/service/src/pipeline/call-as.ts';
import { questions, type PicturedQuestion } from './questions.ts';

/** The answer to a question, with the rows of its chart. */
export interface PicturedAnswer {
  readonly question: PicturedQuestion;
  readonly title: string;
  /** What the answer says about itself; null if it says nothing. */
  readonly message: string | null;
  readonly sample: Sample;
}

/** The moment at which questions are asked. Orders of the demo end on the day before. */
const nowMs = Date.parse('2025-11-15T12:00:00Z');
const itemId = 'asked';

/** The demo in a service of its own, asked with the rights of its owner, who sees the rows of all customers. */
class AskedDemo {
  readonly #app: App;
  readonly #saved: SavedDemo;

  constructor(app: App, saved: SavedDemo) {
    this.#app = app;
    this.#saved = saved;
  }

  async answerTo(question: PicturedQuestion): Promise<PicturedAnswer> {
    const dataset_id = this.#saved.datasets[question.source]?.id ?? '';
    const answer = await this.#call('aichart', {
      action: 'create',
      properties: {
        dataset_id,
        type: 'generate-chart',
        question: question.question,
        message_history: question.history ?? [],
      },
    });
    const chart = { ...objectIn(answer, 'generatedChart'), id: itemId };
    const message = member(answer, 'message');
    return {
      question,
      title: inLanguage(member(chart, 'title'), question.locale ?? 'en'),
      message: typeof message === 'string' ? message : null,
      sample: { name: question.name, item: chart, rows: await this.#rowsOf(chart) },
    };
  }

  /** Returns the rows of the query that the element of an item sends. */
  async #rowsOf(chart: JsonObject): Promise<Sample['rows']> {
    const item = readItem(chart);
    const conditions = listIn(chart, 'filters').flatMap((filter) => readCondition(filter) ?? []);
    const own = [{ origin: onlyOf(itemId), conditions }];
    const query = item === null ? null : queryFor({ item, own }, [], { timezoneId: 'UTC', dashboardId: null });
    if (query === null) throw new Error(`nothing to ask for: ${JSON.stringify(chart)}`);
    return listIn(await this.#call('data', { action: 'get', find: query.query }), 'data').filter(isList);
  }

  async #call(resource: string, body: JsonObject): Promise<JsonObject> {
    const { service } = this.#app;
    const caller = await callerOfAuthorization(service.store, this.#saved.key, nowMs);
    if (caller === null) throw new Error('the demo has no owner');
    const { body: answer } = await callAs(service, caller, { resource, body });
    const text = textOr(answer instanceof Uint8Array ? Buffer.from(answer).toString('utf8') : answer, '{}');
    const parsed: Json = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  }
}

/** Asks all questions of the guide, in a new service whose clock stands still. */
export async function answersToQuestions(): Promise<readonly PicturedAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'inlay-question-pictures-'));
  const settings = { INLAY_DATA_DIR: folder, INLAY_DEMO: 'true', INLAY_LOG_LEVEL: 'silent' };
  const { config } = readConfig(settings, () => '');
  const store = await openStore(config, () => nowMs);
  const app = await buildApp({ config, logger: pino({ level: 'silent' }), store, now: () => nowMs });
  try {
    await app.demo?.load();
    const saved = await readSavedDemo(folder);
    if (saved === null) throw new Error(`the demo was not loaded: ${app.demo?.state().failure ?? ''}`);
    const demo = new AskedDemo(app, saved);
    const answers: PicturedAnswer[] = [];
    for (const question of questions) answers.push(await demo.answerTo(question));
    return answers;
  } finally {
    await app.server.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
