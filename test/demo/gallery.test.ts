import { builtInThemes } from '@inlay/contract/built-in-themes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gallerySamples } from '../../packages/service/src/gallery/gallery.ts';
import { choices } from '../../packages/service/src/gallery/page.ts';
import { startService, type ServiceProcess } from '../support/process.ts';

describe('the page of item types', () => {
  let service: ServiceProcess;
  const get = (path: string): Promise<Response> => fetch(`${service.url}${path}`, { headers: { connection: 'close' } });

  beforeAll(async () => {
    service = await startService({ env: { INLAY_DEMO: 'true' } });
  });
  afterAll(() => service.stop());

  it('has each sample with its picture and its JSON, and runs no script', async () => {
    const answer = await get('/gallery?theme=paper_dark&locale=ar&width=320');
    const page = await answer.text();
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';(?!.*script-src)/u);
    for (const { id, type, contents } of gallerySamples) {
      const further = JSON.stringify(contents ?? {}, null, 2).replaceAll('"', '&quot;');
      if (contents !== undefined) expect(page).toContain(further);
      expect(page).toContain(`src="/gallery/${id}.svg?theme=paper_dark&amp;locale=ar&amp;width=320"`);
      expect(page).toContain(`&quot;type&quot;: &quot;${type}&quot;`);
    }
    expect(page).toContain('<option value="paper_dark" selected>');
    expect(page).not.toContain('<script');
  });

  it('draws each sample', async () => {
    for (const { id } of gallerySamples) {
      const answer = await get(`/gallery/${id}.svg?theme=default_dark&locale=fr&width=320`);
      expect(answer.status, id).toBe(200);
      expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
      expect(await answer.text(), id).toMatch(/^<svg [^>]*width="320" height="260"/u);
    }
  });

  it('offers every built-in theme', () => {
    expect(Object.keys(choices.theme)).toEqual(Object.keys(builtInThemes));
  });

  it.each(['theme=none', 'locale=xx', 'width=641', 'theme=__proto__', 'theme=paper&theme=vivid'])(
    'refuses %s and says what may be chosen',
    async (query) => {
      for (const path of ['/gallery', '/gallery/bar-chart-1.svg']) {
        const answer = await get(`${path}?${query}`);
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          code: 'validation_failed',
          validation: { [query.split('=')[0] ?? '']: [expect.stringContaining('must be one of')] },
        });
      }
    },
  );

  it('knows no other sample', async () => {
    for (const path of ['/gallery/bar-chart-99.svg', '/gallery/bar-chart-1', '/gallery/..%2Fbar-chart-1.svg'])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe('without the demo', () => {
  it('there is no page of item types', async () => {
    const service = await startService({ env: { INLAY_DEMO: 'false' } });
    expect((await fetch(`${service.url}/gallery`, { headers: { connection: 'close' } })).status).toBe(404);
    await service.stop();
  });
});
