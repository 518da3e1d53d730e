/** An editor of one's own: a bar, the grid and three panels, of which the service brings every part. */

/** Panels about the selected item, and about the dashboard while no item is selected. */
const panels = { item: ['inlay-slots', 'inlay-options'], dashboard: ['inlay-versions'] };

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

/**
 * Opens a dashboard for editing in an element of the page.
 *
 * @param {HTMLElement} root
 * @param {{apiHost: string, authKey: string, authToken: string, dashboardId: string, locale: string}} settings
 */
export async function openEditor(root, { dashboardId, locale, ...access }) {
  const { Catalogue, defineParts, EditSession } = await import(`${access.apiHost}/embed/editor.js`);
  await defineParts();
  const session = await EditSession.open({ ...access, getToken: null }, dashboardId, () => locale);
  const catalogue = new Catalogue(session.transport);

  const grid = element('inlay-grid', { ...access, dashboardId, locale, session, editMode: 'full' });
  const side = element('aside', { className: 'side' });
  const state = element('output');
  const button = (text, run) => element('button', { type: 'button', textContent: text, onclick: run });
  const undo = button('Undo', () => session.undo());
  const redo = button('Redo', () => session.redo());
  const save = button('Publish', () => void publish());
  const add = button('Add a bar chart', () => grid.add('bar-chart'));
  const remove = button('Remove', () => grid.removeSelected());

  async function publish() {
    try {
      const outcome = await session.save();
      if (outcome.kind === 'conflicts') await session.resolve(outcome.conflicts.map(choose));
      state.value = 'Published';
    } catch (error) {
      state.value = error.message;
    }
  }

  /** Whose edit holds where somebody else changed the same part. */
  const choose = ({ ours, theirs }) => (confirm(`Keep “${ours}” instead of “${theirs}”?`) ? 'ours' : 'theirs');

  function show() {
    const [itemId = ''] = grid.selectedIds;
    const common = { session, catalogue, itemId, locale, screen: 'desktop', editMode: 'full' };
    side.replaceChildren(...panels[itemId === '' ? 'dashboard' : 'item'].map((name) => element(name, common)));
  }

  function follow() {
    undo.disabled = session.done.length === 0;
    redo.disabled = session.undone.length === 0;
    save.disabled = !session.isChanged || session.isSaving;
    undo.title = session.done.at(-1)?.label ?? '';
    if (session.isChanged) state.value = session.draftState === 'kept' ? 'Draft kept' : 'Not published';
  }

  grid.addEventListener('selectionchanged', show);
  session.addEventListener('change', follow);
  root.replaceChildren(element('header', { className: 'bar' }, undo, redo, add, remove, save, state), grid, side);
  show();
  follow();
  return session;
}
