import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

const base64 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('base64');

/** The first bytes of a picture of each type. */
const pictures = {
  'image/png': base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  'image/jpeg': base64('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  'image/webp': base64('RIFF\x24\0\0\0WEBPVP8 '),
  'image/gif': base64('GIF89a\x01\0\x01\0'),
};

describe.each(storesToTest)('images on %s', (store) => {
  const api = useApi(store);

  it('are taken as the type that their bytes say, and as no other', async () => {
    for (const [said, data] of Object.entries(pictures))
      for (const media_type of Object.keys(pictures)) {
        if (media_type === said) {
          expect(await api.create('image', { media_type, data })).toMatchObject({ media_type, data });
          continue;
        }
        expect(await api.refused('image', { properties: { media_type, data } })).toMatchObject({
          status: 400,
          code: 'validation_failed',
          validation: { 'properties.media_type': [`must be ${said}, which is what data holds`] },
        });
      }
  });

  it('keep a type that is true when one of the two is changed alone', async () => {
    const { id } = await api.create('image', { media_type: 'image/png', data: pictures['image/png'] });
    for (const properties of [{ media_type: 'image/gif' }, { data: pictures['image/gif'] }])
      expect(await api.refused('image', { id, properties })).toMatchObject({ status: 400, code: 'validation_failed' });
    const changed = { media_type: 'image/gif', data: pictures['image/gif'] };
    expect(await api.update('image', id, changed)).toMatchObject(changed);
    expect(await api.update('image', id, { name: 'Another' })).toMatchObject({ ...changed, name: 'Another' });
  });

  it('are pictures: a sound in the same container as WebP is none', async () => {
    const properties = { media_type: 'image/webp', data: base64('RIFF\x24\0\0\0WAVEfmt ') };
    expect(await api.refused('image', { properties })).toMatchObject({
      status: 400,
      validation: { 'properties.data': ['must be a PNG, JPEG, WebP or GIF picture'] },
    });
  });
});
