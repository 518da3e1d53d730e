import { describe, expect, it } from 'vitest';
import { useApi } from '../support/api.ts';
import { storesToTest } from '../support/service.ts';

const documented = {
  type: 'custom',
  background: 'rgb(245,245,245)',
  itemsBackground: 'rgba(255,255,255,0.8)',
  boxShadow: { size: 'none', color: 'rgb(0,0,0)' },
  title: { align: 'left', bold: true, italic: false, underline: false, border: true },
  colors: ['rgb(1,2,3)', '#A1b2C3', 'rgba(10, 20, 30, 0.5)'],
};
const further = {
  ...documented,
  id: 'evening',
  name: 'Evening',
  mainColor: 'hsl(120deg 50% 50%)',
  font: { fontFamily: 'Inter, sans-serif', fontSize: 15, 'font-weight': 300, 'font-style': 'normal' },
  borders: { 'border-color': 'teal', 'border-radius': '4px', 'border-style': 'dashed', 'border-top-width': '1px' },
  margins: [16, 8],
  axis: { fontSize: 12 },
  legend: { type: 'line', fontSize: 12, lineHeight: 18 },
  tooltip: { background: 'rgb(0,0,0)', fontSize: 12, lineHeight: 18, opacity: 0.9 },
  itemSpecific: { rounding: 4, padding: 2 },
  typeScale: { small: 11, figure: '48px', headings: [2, 1.5, 1.2] },
  spacing: 5,
  radius: { small: 2, medium: 4, large: '6px' },
  popupShadow: { size: 'L', color: 'rgba(0,0,0,0.3)' },
  density: 'compact',
  contrast: 'more',
  sequential: ['#fff', '#036'],
  diverging: ['#a00', '#fff', '#036'],
  ours: { unknown: [1, 'two'] },
};

describe.each(storesToTest)('themes on %s', (store) => {
  const api = useApi(store);

  it('takes and gives a theme object as documented', async () => {
    for (const theme of [documented, further]) {
      const made = await api.create('theme', { name: { en: 'Evening' }, theme });
      expect(made).toMatchObject({ theme, organization_id: api.organizationId, deleted_at: null });
      expect(JSON.stringify(made['theme'])).toBe(JSON.stringify(theme));
    }
  });

  it('creates a theme without name and theme', async () => {
    expect(await api.create('theme', {})).toMatchObject({ name: null, theme: { type: 'custom' } });
    expect(await api.create('theme', { name: null, theme: null })).toMatchObject({
      name: null,
      theme: { type: 'custom' },
    });
  });

  it('refuses what is no colour', async () => {
    const wrong = ['red;', 'url(x)', 'rgb(1,2)', '#12', 'rgb(1,2,3', 'expression(1)', 'var(--x)', '', 7, {}, true];
    for (const color of wrong) {
      const places = [
        { background: color },
        { itemsBackground: color },
        { colors: ['#fff', color] },
        { boxShadow: { color } },
        { borders: { 'border-color': color } },
        { tooltip: { background: color } },
      ];
      for (const theme of places) {
        expect([theme, (await api.refused('theme', { properties: { theme } })).status]).toEqual([theme, 400]);
      }
    }
    const many = await api.refused('theme', { properties: { theme: { background: 1, colors: ['x', 'red', 'y'] } } });
    expect(Object.keys(many.validation)).toEqual([
      'properties.theme.background',
      'properties.theme.colors[0]',
      'properties.theme.colors[2]',
    ]);
  });

  it('refuse a known member of another type, and what could break out of its place', async () => {
    const wrong = [
      { title: { align: 'justify' } },
      { title: { bold: 'yes' } },
      { title: ['x'] },
      { boxShadow: { size: 'XXL' } },
      { boxShadow: 'none' },
      { colors: '#fff' },
      { font: { fontFamily: 'x; } body { display: none' } },
      { font: { fontFamily: '</style><script>' } },
      { legend: { type: 'spiral' } },
      { margins: [1, 2, 3] },
      { axis: { fontSize: -1 } },
      { density: 'dense' },
      { contrast: 'most' },
      { spacing: 'wide' },
      { typeScale: { headings: [1, 2, 3, 4] } },
      { radius: { small: -1 } },
      { popupShadow: { size: 'XL' } },
      { sequential: ['#fff', 'none of it'] },
      { borders: { 'border-style': 'groove' } },
      'custom',
      ['x'],
    ];
    for (const theme of wrong) {
      expect([theme, (await api.refused('theme', { properties: { theme } })).status]).toEqual([theme, 400]);
    }
  });

  it('are only marked when deleted, and are found no more', async () => {
    const { id } = await api.create('theme', { name: { en: 'Gone' } });
    await api.associate('theme', id, 'defaultTheme', api.organizationId);
    expect((await api.get('organization', api.organizationId))['theme_id']).toBe(id);
    expect(await api.remove('theme', id)).toEqual({ code: 200 });
    expect((await api.get('organization', api.organizationId))['theme_id']).toBeNull();
    expect((await api.refused('theme', { action: 'get', id })).status).toBe(404);
    expect((await api.refused('theme', { id, properties: {} })).status).toBe(404);
    expect((await api.refused('theme', { action: 'delete', id })).status).toBe(404);
    const finds = [{ where: { id } }, { where: { deleted_at: { ne: null } } }, { search: { keyphrase: 'Gone' } }];
    for (const find of finds) expect([find, await api.findIds('theme', find)]).toEqual([find, []]);
    const reference = await api.refused('organization', { id: api.organizationId, properties: { theme_id: id } });
    expect(reference.code).toBe('reference_unknown');
  });

  it('become and stop being the default of the organization', async () => {
    const first = await api.create('theme', {});
    const second = await api.create('theme', {});
    await api.associate('theme', first['id'], 'defaultThemes', api.organizationId);
    await api.associate('theme', second['id'], 'DEFAULTTHEME', api.organizationId);
    expect((await api.get('organization', api.organizationId))['theme_id']).toBe(second['id']);
    await api.dissociate('theme', first['id'], 'defaultTheme', api.organizationId);
    expect((await api.get('organization', api.organizationId))['theme_id']).toBe(second['id']);
    await api.dissociate('theme', second['id'], 'defaultTheme', api.organizationId);
    expect((await api.get('organization', api.organizationId))['theme_id']).toBeNull();
    const member = await api.person();
    const body = { action: 'associate', id: first['id'], resource: { role: 'defaultTheme', id: api.organizationId } };
    expect((await api.refused('theme', body, member.login)).status).toBe(403);
  });

  it('that are built in come whole with the dashboard that names them, with what stands beside the name', async () => {
    const view = { screenModus: 'desktop', options: { theme: { id: 'earth' } }, filterGroups: [], items: [] };
    const contents = { version: '0.1.99', views: [view] };
    const { id } = await api.create('securable', { type: 'dashboard', contents });
    const { id: vivid } = await api.create('theme', { theme: { id: 'vivid', mainColor: '#123456' } });
    await api.associate('theme', vivid, 'defaultTheme', api.organizationId);
    const body = await api.ok('appearance', { action: 'get', find: { dashboard_id: id } });
    expect(body).toMatchObject({
      themes: {
        organization: { mainColor: '#123456', itemSpecific: { rounding: 6 } },
        stored: { earth: { density: 'comfortable' } },
        token: null,
      },
    });
    expect(JSON.stringify(body)).not.toContain('"vivid"');
    await api.dissociate('theme', vivid, 'defaultTheme', api.organizationId);
  });

  it('stay in their organization', async () => {
    const { id } = await api.create('theme', {});
    const { login, organizationId } = await api.stranger();
    expect((await api.associate('theme', id, 'Organization', api.organizationId))['organization_id']).toBe(
      api.organizationId,
    );
    const away = { action: 'associate', id, resource: { role: 'Organization', id: organizationId } };
    expect((await api.refused('theme', away)).status).toBe(400);
    expect((await api.refused('theme', { id, resource: { role: 'Organization', id: api.organizationId } })).code).toBe(
      'association_required',
    );
    expect((await api.refused('theme', { action: 'get', id }, login)).status).toBe(404);
    expect(await api.findIds('theme', { where: { id } }, login)).toEqual([]);
  });
});
