const signIn = 'Set auth-key and auth-token, or getToken, to the key and token of an authorization';

/** What a developer can check, by error code. */
export const hints: Readonly<Record<string, string>> = {
  credentials_missing: `${signIn}.`,
  credentials_invalid: `${signIn} that has not expired and was not deleted.`,
  not_found:
    'Check dashboard-id, and that the dashboard stands among access.dashboards of the token: what a token may not read is not there for it.',
  no_service: 'Check api-host: it is the address of the service alone, without a path.',
};

/**
 * Explains a failed connection. Browsers hide whether the service refused the origin. They do reveal whether the host
 * answers at all.
 */
export async function hintFor(host: string, send: typeof fetch): Promise<string> {
  const { origin } = location;
  if (new URL(host, origin).origin === origin) return '';
  const options = { mode: 'no-cors', credentials: 'omit', referrerPolicy: 'no-referrer' } as const;
  const isThere = await send(`${host}/livez`, options).then(
    () => true,
    () => false,
  );
  if (!isThere) return '';
  return `The service at ${host} is there but does not answer pages of ${origin}. Its setting INLAY_CORS_ORIGINS must name that origin, such as INLAY_CORS_ORIGINS=${origin}`;
}
