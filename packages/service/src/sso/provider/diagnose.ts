import type { Configuration } from './configuration.ts';
import { SignOnFault } from '../fault.ts';
import { clockToleranceS, providerOf, type Provider } from './oidc.ts';
import { redirectUri, type SignOn, type Visit } from '../sign-on.ts';

/** A step of a test: whether it succeeded (null: undetermined), and a description of the observation. */
export interface Step {
  readonly name: string;
  readonly good: boolean | null;
  readonly said: string;
}

type StepResult = Omit<Step, 'name'>;

const good = (message: string): StepResult => ({ good: true, said: message });
const bad = (message: string): StepResult => ({ good: false, said: message });
const unclear = (message: string): StepResult => ({ good: null, said: message });

async function tried(name: string, work: () => Promise<StepResult>): Promise<Step> {
  try {
    return { name, ...(await work()) };
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    return { name, ...bad(error.message) };
  }
}

/** Sends the provider a code it never issued: its error reveals whether it accepts the client and its secret. */
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
    return bad('The provider took a code that it never gave.');
  } catch (error) {
    if (!(error instanceof SignOnFault)) throw error;
    if (error.cause === 'code_refused') return good('The provider knows the client and takes its secret.');
    return bad(error.message);
  }
}

async function redirectStep(
  signOn: SignOn,
  visit: Visit,
  configuration: Configuration,
  provider: Provider,
): Promise<StepResult> {
  const registered = `Register exactly this redirect URI at the provider: ${redirectUri(visit)}`;
  const secrets = { state: signOn.random(256), nonce: signOn.random(256), verifier: signOn.random(256) };
  const status = await signOn.exchange.visit(
    configuration,
    await signOn.exchange.authorizationUrl(configuration, provider, redirectUri(visit), secrets),
  );
  if (status.toError !== null) return bad(`The provider answers ${status.toError} before anybody signs in.`);
  if (status.code < 400) return good(`The provider shows its page. ${registered}`);
  return bad(
    `The provider answers ${status.code} before anybody signs in: the redirect URI is not registered, or the client id is wrong. ${registered}`,
  );
}

async function clockStep(signOn: SignOn, configuration: Configuration): Promise<StepResult> {
  const theirs = await signOn.exchange.clock(configuration);
  if (theirs === null) return unclear('The provider does not tell its time.');
  const aheadS = Math.round((theirs - signOn.now()) / 1000);
  const sentence =
    aheadS === 0
      ? 'The clocks agree.'
      : `The clock of the provider is ${Math.abs(aheadS)} s ${aheadS > 0 ? 'ahead of' : 'behind'} this one.`;
  return Math.abs(aheadS) > clockToleranceS
    ? bad(`${sentence} At most ${clockToleranceS} s are let pass: set both by NTP.`)
    : good(sentence);
}

/** Tests a configuration step by step without a user; stops at the first step that blocks the rest. */
export async function diagnose(signOn: SignOn, visit: Visit, configuration: Configuration): Promise<readonly Step[]> {
  const { exchange } = signOn;
  const discovered: { provider?: Provider } = {};
  const reach = await tried('The issuer', async () => {
    const document = await exchange.discover(configuration, true);
    discovered.provider = providerOf(configuration, document);
    return document === null
      ? unclear(
          `${configuration.issuer} offers no discovery; the addresses of the configuration are used, and the signatures of its tokens cannot be checked.`,
        )
      : good(`${configuration.issuer} answers, and names itself as the configuration does.`);
  });
  const { provider } = discovered;
  if (provider === undefined) return [reach];
  const { jwksUrl } = provider;
  const keys = await tried('Its keys', async () => {
    if (jwksUrl === null) return unclear('There is no address of keys.');
    const usable = await exchange.keys(configuration, jwksUrl);
    return usable.length > 0 ? good(`${usable.length} can be used.`) : bad('None of the keys can be used.');
  });
  return [
    reach,
    keys,
    await tried('The clock', () => clockStep(signOn, configuration)),
    await tried('The client secret', () => secretStep(signOn, visit, configuration, provider)),
    await tried('The redirect URI', () => redirectStep(signOn, visit, configuration, provider)),
  ];
}
