import { timestamp } from '@inlay/contract';
import { identifyCaller } from '../../callers/identify.ts';
import { hoursAfter, tokenHash } from '../../resources/parts/tokens.ts';
import { mainTable, storedColumns, storedOf } from '../../resource/tables.ts';
import { Problem } from '../../problems/problem.ts';
import { sql } from '../../store/sql.ts';
import { findConfiguration } from '../provider/configuration.ts';
import { SignOnFault } from '../fault.ts';
import { providerFor } from './login.ts';
import { checkLogoutToken } from '../provider/oidc.ts';
import { writeSso, type SignOn } from '../sign-on.ts';
import { verifySigned } from '../provider/signature.ts';

/** Returns the provider's sign-out address; null if the provider has none or does not respond. */
async function providersEnd(
  signOn: SignOn,
  organizationId: string,
  idToken: string | null,
  backTo: string,
): Promise<string | null> {
  try {
    const configuration = await findConfiguration(signOn.store, signOn.open, organizationId);
    const { endSessionUrl } = await providerFor(signOn, configuration);
    if (endSessionUrl === null) return null;
    const url = new URL(endSessionUrl);
    if (idToken !== null) url.searchParams.set('id_token_hint', idToken);
    url.searchParams.set('client_id', configuration.clientId);
    url.searchParams.set('post_logout_redirect_uri', backTo);
    return url.href;
  } catch (error) {
    if (error instanceof SignOnFault) return null;
    throw error;
  }
}

/**
 * Ends a login. Returns the address that ends the session at the provider (OpenID Connect RP-Initiated Logout); null if
 * the login did not come from a provider. Raises Problem `credentials_invalid`.
 */
export async function signOut(signOn: SignOn, key: string, token: string, backTo: string): Promise<string | null> {
  const knownCaller = await identifyCaller(signOn.store, key, token, signOn.now());
  if (knownCaller === null || knownCaller.caller.type !== 'login') throw new Problem('credentials_invalid');
  const { authorizationId, organizationId } = knownCaller.caller;
  const [row] = await signOn.store.rows(
    sql`select ${storedColumns(mainTable)}, t.identity_id from "authorization" t where t.id = ${authorizationId}`,
  );
  await writeSso(signOn, { kind: 'sso', step: 'end', authorizationId });
  if (typeof row?.['identity_id'] !== 'string') return null;
  const sealed = storedOf(row).sealed['id_token'];
  const place = { resource: 'authorization', id: authorizationId, field: 'id_token', organization: organizationId };
  return providersEnd(signOn, organizationId, sealed === undefined ? null : signOn.open(place, sealed), backTo);
}

/**
 * Ends the logins that a provider's logout token names (OpenID Connect Back-Channel Logout). Raises SignOnFault.
 * specification/sign-in#signing-out
 */
export async function signOutFromProvider(signOn: SignOn, organization: string, logoutToken: string): Promise<void> {
  const configuration = await findConfiguration(signOn.store, signOn.open, organization);
  const { issuer, clientId, organizationId } = configuration;
  const provider = await providerFor(signOn, configuration);
  if (provider.jwksUrl === null)
    throw new SignOnFault('set_up_wrong', 'The issuer names no keys, so its logout tokens are not believed.');
  const keys = await signOn.exchange.keys(configuration, provider.jwksUrl);
  const { claims } = await verifySigned(logoutToken, keys, provider.algorithms);
  const { id, subject, session } = checkLogoutToken(claims, { issuer, clientId, nowS: signOn.now() / 1000 });
  const until = hoursAfter(timestamp(signOn.now()), 1);
  const useId = `logout ${tokenHash(JSON.stringify([organizationId, issuer, id]))}`;
  await writeSso(signOn, { kind: 'sso', step: 'logout', organizationId, issuer, subject, session, id: useId, until });
}
