import { writeFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { RenderPool } from '../export/rendering/render-pool.ts';
import { Problem } from '../problems/problem.ts';
import { gallerySamples } from './gallery.ts';
import { jobOf, spoolOf } from './job.ts';
import { choices, galleryPage, heightPx, type Choice, type Selection } from './page.ts';

/** Allows no scripts, only pictures from this service and a form that submits to this service. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const picturePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** The key of gallery pictures for fair queueing. It differs from the keys of organizations, which are UUIDs. */
const turn = 'gallery';

const defaults: Selection = { theme: 'default', locale: 'en', width: '640' };

/** Returns the options of a request. Raises Problem 400 `validation_failed`. */
function chosenIn(query: unknown): Selection {
  const parameters = new Map<string, unknown>(typeof query === 'object' && query !== null ? Object.entries(query) : []);
  const validation: Record<string, string[]> = {};
  const choiceOf = (kind: Choice): string => {
    const value = parameters.get(kind) ?? defaults[kind];
    if (typeof value === 'string' && Object.hasOwn(choices[kind], value)) return value;
    validation[kind] = [`must be one of: ${Object.keys(choices[kind]).join(', ')}`];
    return '';
  };
  const selection = { theme: choiceOf('theme'), locale: choiceOf('locale'), width: choiceOf('width') };
  if (Object.keys(validation).length > 0) throw new Problem('validation_failed', { validation });
  return selection;
}

/** Serves the page of item types at `/gallery`, and its pictures. They show samples, never customer rows. */
export function addGallery(server: FastifyInstance, pool: RenderPool): void {
  server.get('/gallery', { compress: {} }, ({ query }, reply): FastifyReply => {
    const page = galleryPage(chosenIn(query));
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
  });
  server.get<{ Params: { file: string } }>('/gallery/:file', async ({ params, query }, reply) => {
    const sample = gallerySamples.find(({ id }) => `${id}.svg` === params.file);
    if (sample === undefined) throw new Problem('not_found');
    const { theme, locale, width } = chosenIn(query);
    const { job } = jobOf(sample, { theme, locale, widthPx: Number(width), heightPx }, 'svg');
    const goneController = new AbortController();
    reply.raw.once('close', () => goneController.abort(new Error('nobody waits for the picture')));
    const svg = await pool.withSpool(async (path) => {
      const { text, answers } = spoolOf(sample);
      await writeFile(path, text, { mode: 0o600 });
      return pool.render(turn, job, { path, answers }, goneController.signal);
    });
    return reply
      .headers({ 'content-security-policy': picturePolicy, 'cache-control': 'public, max-age=3600' })
      .type('image/svg+xml; charset=utf-8')
      .send(svg);
  });
}
