import type { Field } from '../resource/fields.ts';

const loopback = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u;

/** A web address without credentials, in one of the protocols; plain http only on this machine. */
export function webAddress(protocols: readonly string[]): NonNullable<Field['check']> {
  return (value, at, fault) => {
    if (typeof value !== 'string') return;
    const parsed = URL.canParse(value) ? new URL(value) : undefined;
    const sound =
      parsed !== undefined &&
      parsed.username === '' &&
      parsed.password === '' &&
      (protocols.includes(parsed.protocol) || (parsed.protocol === 'http:' && loopback.test(parsed.hostname)));
    if (!sound) fault(at, `must be an ${protocols[0]?.slice(0, -1) ?? 'https'} address without user name or password`);
  };
}
