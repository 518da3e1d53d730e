import type { SignInResult } from '../login/callback.ts';
import type { Step } from '../provider/diagnose.ts';
import type { SignOnFault } from '../fault.ts';
import { alert, escaped, inScript, link, paragraph, type Page } from './page.ts';
import type { HandOver } from '../login/state.ts';
import { sentences, words, type Language } from './words.ts';

/** Returns a script that posts the result to the opener of the window, and only if the opener has this exact origin. */
const messageScript = (origin: string, message: object): string =>
  `if(window.opener){window.opener.postMessage(${inScript({ type: 'inlay:sign-in', ...message })},${inScript(origin)});window.close();}`;

/** Returns the page of a failure. It shows the detail only during an owner's test. */
export function faultPage(language: Language, fault: SignOnFault, handOver: HandOver): Page {
  const detail = handOver.kind === 'test' ? paragraph(fault.message) : '';
  const backLink =
    handOver.kind === 'code' ? link(`${handOver.returnTo}#inlay_error=${fault.cause}`, words.back[language]) : '';
  return {
    language,
    title: words.notSignedIn[language],
    body: alert(sentences[fault.cause][language]) + detail + backLink,
    ...(handOver.kind === 'message' ? { script: messageScript(handOver.origin, { error: fault.cause }) } : {}),
  };
}

/**
 * Returns the page of a successful sign-in. For a login by message, it posts the login to its opener. Otherwise it shows
 * the results of a test and of the verification, if there are any.
 */
export function donePage(language: Language, result: SignInResult & { kind: 'message' | 'plain' }): Page {
  const title = words.signedIn[language];
  const close = paragraph(words.close[language]);
  if (result.kind === 'message')
    return { language, title, body: close, script: messageScript(result.origin, { ...result.login }) };
  const verified = result.verified ? paragraph('Single sign-on of this organization is verified now.') : '';
  const testedNote = result.tested ? paragraph('Everything the provider answered was in order.') : '';
  return { language, title, body: testedNote + verified + close };
}

export const signedOutPage = (language: Language): Page => ({
  language,
  title: words.signedOut[language],
  body: paragraph(words.close[language]),
});

/** Returns the page that asks for the password of the existing person. */
export const provePage = (
  language: Language,
  action: string,
  {
    state,
    handOver,
    fault,
  }: { readonly state: string; readonly handOver: HandOver; readonly fault: SignOnFault | null },
): Page => ({
  language,
  title: words.prove[language],
  ...(handOver.kind === 'code' ? { leadsTo: new URL(handOver.returnTo).origin } : {}),
  body: `${fault === null ? '' : alert(sentences[fault.cause][language])}${paragraph(words.proveWhy[language])}
<form method="post" action="${escaped(action)}"><input type="hidden" name="state" value="${escaped(state)}">
<label for="password">${escaped(words.password[language])}</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<button>${escaped(words.proceed[language])}</button></form>`,
});

const marks = { true: 'good', false: 'wrong', null: 'not known' } as const;
const markOf = ({ good }: Step): string => (good === null ? marks.null : good ? marks.true : marks.false);

/** The result of a test; null if no test has run. */
export type SsoTestResult =
  | { readonly steps: readonly Step[]; readonly signIn: string | null }
  | { readonly refused: string }
  | null;

/**
 * Returns the page on which owners test single sign-on. In `outcome`, `steps` are the results, and `signIn` is the
 * address at which to continue.
 */
export function testPage(action: string, addresses: Readonly<Record<string, string>>, outcome: SsoTestResult): Page {
  const addressItems = Object.entries(addresses).map(
    ([name, address]) => `<li>${escaped(name)}: <code>${escaped(address)}</code></li>`,
  );
  const form = `<form method="post" action="${escaped(action)}"><label for="key">Key of an owner</label><input id="key" name="key" autocomplete="off" required>
<label for="token">Token</label><input id="token" name="token" type="password" autocomplete="off" required><button>Test</button></form>`;
  const steps = outcome !== null && 'steps' in outcome ? outcome.steps : [];
  const result = steps.map(
    (step) => `<li><strong>${escaped(step.name)}: ${markOf(step)}.</strong> ${escaped(step.said)}</li>`,
  );
  const signIn = outcome !== null && 'steps' in outcome ? outcome.signIn : null;
  return {
    language: 'en',
    title: 'Test single sign-on',
    body: [
      outcome !== null && 'refused' in outcome ? alert(outcome.refused) : '',
      result.length === 0 ? '' : `<ol>${result.join('')}</ol>`,
      signIn === null
        ? ''
        : paragraph('Last step: sign in yourself. The first sign-in that succeeds verifies the configuration.') +
          link(signIn, 'Sign in'),
      paragraph('Register these addresses at the provider:'),
      `<ul>${addressItems.join('')}</ul>`,
      result.length === 0 ? form : '',
    ].join(''),
  };
}
