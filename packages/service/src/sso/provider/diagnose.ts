import type { Configuration } from './configuration.ts';
import { SignOnFault } from '../fault.ts';
import { clockToleranceS, providerOf, type Provider } from './oidc.ts';
import { redirectUri, type SignOn, type Visit } from '../sign-on.ts';

/**
 * A step of a test. `good`: whether it succeeded, or null if that is undetermined; `said`: a description of what was
 * observed.
 */
export interface Step {
  readonly name: string;
  readonly good: boolean | null;
  readonly said: string;
}

type StepResult = Omit<Step, 'name'>;

const goodStep = (message: string): StepResult => ({ good: true, said: message });
const badStep = (message: string): StepResult => ({ good: false, said: message });
const unclearStep = (message: string): StepResult => ({ good: null, said: message });

async function tried(name: string, work: () => Promise<StepResult>): Promise<Step> {
  try {
    return { name, ...(await work()) };
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    return { name, ...badStep(error.message) };
  }
}

/**
 * Sends the provider a code that it never issued. The error in the response shows whether it accepts the client and its
 * secret.
 */
async function secretStep(
  signOn: SignOn,
  visit: Visit,
  configuration: Configuration,
  provider: Provider,
): Promise<StepResult> {
  const cameBackTo = new URL(redirectUri(visit));
  cameBackTo.search = new URLSearchParams({ code: 'inlay-test', state: 'test', iss: provider.issuer }).toString();
  try {
    await signOn.exchange.redeem(configuration, provider, cameBackTo, {
      state: 'test',
      nonce: 'test',
      verifier: signOn.random(256),
    });
    return badStep('The provider took a code that it never gave.');
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    if (error.cause === 'code_refused') return goodStep('The provider knows the client and takes its secret.');
    return badStep(error.message);
  }
}

async function redirectStep(
  signOn: SignOn,
  visit: Visit,
  configuration: Configuration,
  provider: Provider,
): Promise<StepResult> {
  const redirectAdvice = `Register exactly this redirect URI at the provider: ${redirectUri(visit)}`;
  const secrets = { state: signOn.random(256), nonce: signOn.random(256), verifier: signOn.random(256) };
  const status = await signOn.exchange.visit(
    configuration,
    await signOn.exchange.authorizationUrl(configuration, provider, redirectUri(visit), secrets),
  );
  if (status.toError !== null) return badStep(`The provider answers ${status.toError} before anybody signs in.`);
  if (status.code < 400) return goodStep(`The provider shows its page. ${redirectAdvice}`);
  return badStep(
    `The provider answers ${status.code} before anybody signs in: the redirect URI is not registered, or the client id is wrong. ${redirectAdvice}`,
  );
}

async function clockStep(signOn: SignOn, configuration: Configuration): Promise<StepResult> {
  const providerMs = await signOn.exchange.clock(configuration);
  if (providerMs === null) return unclearStep('The provider does not tell its time.');
  const aheadS = Math.round((providerMs - signOn.now()) / 1000);
  const sentence =
    aheadS === 0
      ? 'The clocks agree.'
      : `The clock of the provider is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} this one.`;
  return Math.abs(aheadS) > clockToleranceS
    ? badStep(`${sentence} At most ${clockToleranceS} s are let pass: set both by NTP.`)
    : goodStep(sentence);
}

/** Tests a configuration step by step without a user. Stops at the first step that prevents the next ones. */
export async function diagnose(signOn: SignOn, visit: Visit, configuration: Configuration): Promise<readonly Step[]> {
  const { exchange } = signOn;
  const discovery: { provider?: Provider } = {};
  const reach = await tried('The issuer', async () => {
    const document = await exchange.discover(configuration, true);
    discovery.provider = providerOf(configuration, document);
    return document === null
      ? unclearStep(
          `${configuration.issuer} offers no discovery; the addresses of the configuration are used, and the signatures of its tokens cannot be checked.`,
        )
      : goodStep(`${configuration.issuer} answers, and names itself as the configuration does.`);
  });
  const { provider } = discovery;
  if (provider === undefined) return [reach];
  const { jwksUrl } = provider;
  const keys = await tried('Its keys', async () => {
    if (jwksUrl === null) return unclearStep('There is no address of keys.');
    const usableKeys = await exchange.keys(configuration, jwksUrl);
    return usableKeys.length > 0
      ? goodStep(`${usableKeys.length} can be used.`)
      : badStep('None of the keys can be used.');
  });
  return [
    reach,
    keys,
    await tried('The clock', () => clockStep(signOn, configuration)),
    await tried('The client secret', () => secretStep(signOn, visit, configuration, provider)),
    await tried('The redirect URI', () => redirectStep(signOn, visit, configuration, provider)),
  ];
}
