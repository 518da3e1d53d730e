import { apiVersion } from '@inlay/contract';
import { catalogue } from '../problems/catalogue.ts';
import type { Registry } from '../resource/registry.ts';
import {
  authenticationShell,
  credentialsShell,
  findRows,
  operatorRows,
  searchExample,
  shortShell,
  steps,
} from './guide.ts';
import { html, prose, table, type Html } from './html.ts';
import { resourceSection } from './page-resource.ts';
import { pageStyle } from './page-style.ts';

const shell = (text: string): Html => html`<pre class="run" tabindex="0"><code>${text}</code></pre> `;

const sections = {
  start: 'Start',
  authentication: 'Credentials',
  operations: 'Operations',
  search: 'Search',
  resources: 'Resources',
  errors: 'Errors',
} as const;

const heading = (id: keyof typeof sections): Html => html`<h2 id="${id}">${sections[id]}</h2> `;

const start = html`${heading('start')}
  <p>
    Every operation is a <code>POST</code> of one JSON object to <code>/${apiVersion}/&lt;resource&gt;</code>. The
    member <code>action</code> names the operation. An answer is JSON; 200 is success.
  </p>
  <p>Say where the service is and who you are. The first start prints a key and a token once.</p>
  <pre tabindex="0"><code>${credentialsShell}</code></pre>
  <p>The whole API for machines: <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1).</p> `;

const authentication = html`${heading('authentication')}
  <p>
    A key (a UUID) and a token, in the <code>Authorization</code> header or in the body. Both places with different
    values are refused. A token is shown once, when it is made, and stored hashed.
  </p>
  ${shell(authenticationShell)}
  <ul>
    <li>
      A person logs in by creating an <a href="#resource-authorization">authorization</a> of type
      <code>login</code> with email and password, which needs no other credentials.
    </li>
    <li>A program has one of type <code>api</code>.</li>
    <li>
      A reader inside your product has one of type <code>embed</code>. It is made by an Organization Owner’s api token
      and never reaches beyond what its maker holds.
    </li>
  </ul> `;

function operations(): Html {
  const stepSections = steps.map(
    ({ operation, says: description, run }) =>
      html`<h3 id="operation-${operation}">${operation}</h3>
        <p>${prose(description)}</p>
        ${shell(run)}`,
  );
  return html`${heading('operations')}
    <p>The examples below work when they are pasted from top to bottom. Two shell functions keep them short:</p>
    ${shell(shortShell)}${stepSections}
    <h3 id="operation-shapes">Without <code>action</code></h3>
    <p>
      A plain POST is read by its shape: <code>find</code> is a search, <code>id</code> and <code>resource</code> a
      dissociate, <code>id</code> and <code>properties</code> an update, <code>properties</code> alone a create. The
      methods SEARCH, PATCH, DELETE, LINK and UNLINK name an operation too.
    </p>
    <h3 id="operation-headers">Headers</h3>
    <ul>
      <li>
        <code>Idempotency-Key</code> on any write: the first answer is kept and given again, so a write that may have
        been lost can be sent again.
      </li>
      <li>
        <code>ETag</code> comes with a single record; <code>If-Match</code> on update and delete refuses a stale one
        with 409.
      </li>
      <li><code>X-Request-Id</code> is on every answer, and one that was sent is kept.</li>
      <li>
        <code>RateLimit</code> and <code>RateLimit-Policy</code> say what is left; <code>Retry-After</code> when to come
        back.
      </li>
    </ul> `;
}

function search(): Html {
  const members = findRows.map(([name, form, meaning]) => [html`<code>${name}</code>`, prose(form), prose(meaning)]);
  const comparisons = operatorRows.map(([name, meaning, operand]) => [
    html`<code>${name}</code>`,
    prose(meaning),
    prose(operand),
  ]);
  return html`${heading('search')}
    <p>A search finds only what you may see, and <code>count</code> counts only that.</p>
    ${shell(searchExample)} ${table('Members of find', ['Member', 'Form', 'Meaning'], members)}
    <p>Each operator may be written with a leading <code>$</code>.</p>
    ${table('Operators of where', ['Operator', 'Meaning', 'Takes, for example'], comparisons)} `;
}

function errors(): Html {
  const rows = Object.entries(catalogue).map(([code, { status, message, meaning }]) => [
    html`<code>${code}</code>`,
    html`${status}`,
    html`${message}`,
    prose(meaning),
  ]);
  const body = {
    type: { code: 400, description: 'Bad Request' },
    message: catalogue.field_unknown.message,
    code: 'field_unknown',
    validation: { 'properties.naem': ['is not known; did you mean "name"?'] },
    request_id: '7d0f…',
  };
  return html`${heading('errors')}
    <p>
      Every refusal has one shape. <code>code</code> is a stable word for programs; <code>validation</code> names every
      place that is wrong, all at once.
    </p>
    <pre tabindex="0"><code>${JSON.stringify(body, null, 2)}</code></pre>
    ${table('Every code', ['Code', 'Status', 'Message', 'Meaning'], rows)} `;
}

function navigation(registry: Registry): Html {
  const items = Object.entries(sections).map(([id, title]) => html`<li><a href="#${id}">${title}</a></li> `);
  const names = registry.resources.map(({ name }) => html`<li><a href="#resource-${name}">${name}</a></li> `);
  return html`<nav aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${items}
    </ul>
    <p>Resources</p>
    <ul>
      ${names}
    </ul>
  </nav>`;
}

/** Returns the docs page: a single HTML page without scripts or external files, generated from the declarations. */
export function docsPage(registry: Registry): string {
  const resources = registry.resources.map((resource) => resourceSection(registry, resource));
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Inlay API ${apiVersion}</title>
        <style>
          ${{ markup: pageStyle }}
        </style>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <h1>Inlay API ${apiVersion}</h1>
          <p>
            Embedded analytics behind one HTTP and JSON API: connections, datasets and dashboards, themes, plugins,
            single sign-on, and who may use what.
          </p>
        </header>
        <div class="columns">
          ${navigation(registry)}
          <main id="main" tabindex="-1">
            ${start}${authentication}${operations()}${search()} ${heading('resources')}
            <p>
              Unset fields are null. Times are ISO 8601 in UTC with milliseconds. A multilingual string is an object of
              language codes and texts. Types are strict: nothing is converted. A field that only the service sets may
              be sent back with the value it has.
            </p>
            ${resources}${errors()}
          </main>
        </div>
        <footer>Inlay is open source under the Apache License 2.0.</footer>
      </body>
    </html> `;
  return page.markup;
}
