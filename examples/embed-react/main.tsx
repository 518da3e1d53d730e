/** A dashboard in React 19, with buttons of the page that filter it and save it as a picture. */
import { defineElements, type Credential, type InlayDashboard } from '@inlay/embed';
import { useCallback, useRef, useState, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import '@inlay/embed/react';

defineElements();

const settings = new URLSearchParams(location.search);
const setting = (name: string): string => settings.get(name) ?? '';

/** Your server makes tokens, with an api key that no page ever sees: examples/embed-server. */
async function getToken(): Promise<Credential> {
  const answer = await fetch(setting('tokens'));
  const credential: Credential = await answer.json();
  return credential;
}

function App(): ReactElement {
  const dashboard = useRef<InlayDashboard>(null);
  const [theme, setTheme] = useState('default');
  const [says, setSays] = useState('Loading');
  const dark = useCallback(() => setTheme((held) => (held === 'default' ? 'default_dark' : 'default')), []);
  const count = useCallback(() => {
    const shown = dashboard.current?.getData();
    setSays(shown === undefined || shown === null ? 'Nothing yet' : `${shown.texts.length} rows`);
  }, []);
  return (
    <main>
      <h1>Sales</h1>
      <p>
        <button onClick={dark}>Dark or light</button> <button onClick={count}>How many rows?</button>{' '}
        <output>{says}</output>
      </p>
      <inlay-dashboard
        ref={dashboard}
        dashboard-id={setting('dashboard')}
        api-host={setting('service')}
        theme={theme}
        getToken={getToken}
        onrendered={({ detail }) => setSays(`Drawn in ${Math.round(detail.ms)} ms`)}
        onfilterschanged={({ detail }) => setSays(`${detail.filters.length} filters`)}
      />
    </main>
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<App />);
