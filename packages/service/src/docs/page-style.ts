/** The style of the docs page, inline because the Content-Security-Policy allows no other file. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #fdfdfc; --ink: #1d2327; --quiet: #525b63; --line: #d5d9dc; --tint: #f1f3f2; --link: #0b5c7a; --mark: #0f766e; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14181b; --ink: #e6e9ea; --quiet: #a7b0b7; --line: #353d43; --tint: #1d2327; --link: #7cc7e8; --mark: #5eead4; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--link); text-underline-offset: .15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; }
header, main, footer, nav { padding: 0 1rem; }
header { border-bottom: 1px solid var(--line); padding-block: 2rem 1.5rem; }
header p { max-width: 44rem; margin: .5rem 0 0; color: var(--quiet); }
h1 { font-size: 2rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.5rem; line-height: 1.3; margin: 3rem 0 .75rem; padding-top: 1rem; border-top: 2px solid var(--mark); }
h3 { font-size: 1.2rem; margin: 2.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p, ul, ol { max-width: 48rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
code { background: var(--tint); padding: .1em .3em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; line-height: 1.5; max-width: 60rem; }
pre code { background: none; padding: 0; font-size: 1em; overflow-wrap: normal; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0 1.5rem; }
caption { text-align: left; font-weight: 600; padding: .25rem 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 500; }
tbody th code { white-space: nowrap; overflow-wrap: normal; }
.source { color: var(--quiet); font-size: .875rem; }
nav ul { list-style: none; padding: 0; margin: .25rem 0 1rem; columns: 2; }
nav li { break-inside: avoid; padding: .15rem 0; }
nav p { font-weight: 600; margin: 1rem 0 0; }
footer { border-top: 1px solid var(--line); margin-top: 4rem; padding-block: 1.5rem 3rem; color: var(--quiet); }
@media (min-width: 64rem) {
  .columns { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 90rem; margin: 0 auto; }
  header, footer { padding-inline: max(2rem, calc((100vw - 90rem) / 2 + 2rem)); }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1rem 0 2rem 2rem; font-size: .9rem; }
  nav ul { columns: 1; }
  main { padding: 0 2rem; }
}
@media (max-width: 48rem) {
  table, caption, tbody, tr, tbody th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
  tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  th, td { border: 0; padding: .1rem 0; }
  td:not(:empty)::before { content: attr(data-head) ": "; color: var(--quiet); }
  tbody th code { white-space: normal; }
}
@media print { nav, .skip { display: none; } }
`;
