// Runs in the page: an item with rows that are there already, as a dashboard shows it.
import { itemQuery, readItem } from '@inlay/contract';
import { createMemberColors } from '../../packages/embed/src/charts/frame/member-colors.ts';
import { defineCard } from '../../packages/embed/src/card/card.ts';
import { createRenderContext, themeVariables } from '../../packages/embed/src/card/render-context.ts';

globalThis.showItem = (given, rows, { theme, locale }) => {
  const item = readItem(given);
  const viewer = { locale, timeZone: 'UTC', currency: null, themes: [theme], patterns: false, nowMs: Date.now() };
  const renderContext = createRenderContext(viewer, createMemberColors);
  const place = document.createElement('section');
  for (const [name, value] of Object.entries(themeVariables(renderContext.theme))) place.style.setProperty(name, value);
  if (renderContext.rightToLeft) place.dir = 'rtl';
  defineCard();
  const card = document.createElement('inlay-card');
  Object.assign(card, {
    item,
    renderContext,
    answer: { kind: 'rows', query: itemQuery(item), rows, truncated: false },
  });
  place.append(card);
  document.body.append(place);
};
