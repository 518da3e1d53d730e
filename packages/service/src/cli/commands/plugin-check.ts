import { checkPlugin } from '../../connectors/plugin/check/check.ts';
import { createPlugins } from '../../connectors/plugin/plugin.ts';
import { type PluginReach, isPropertyName } from '../../connectors/plugin/protocol.ts';
import { Bulkhead, maxLeases } from '../../connectors/session/bulkhead.ts';
import { createOutbound } from '../../outbound/index.ts';
import { readArguments } from '../arguments.ts';
import { UsageFault } from '../faults.ts';
import type { Host } from '../host.ts';

const text = { type: 'string' } as const;

function propertiesOf(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=');
      const name = setting.slice(0, Math.max(0, at));
      if (!isPropertyName(name))
        throw new UsageFault('--property must be NAME=VALUE; the name may contain letters, digits, - and _');
      return [name, setting.slice(at + 1)];
    }),
  );
}

function addressOf(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
  if (!isWeb) throw new UsageFault('URL must be the base address of the plugin, such as https://plugin.example.com');
  return text;
}

/** Replaces control characters of the terminal in untrusted text by spaces. */
const printableText = (text: string): string => text.replaceAll(/\p{C}/gu, ' ');

/** Sends a plugin every kind of request and reports protocol violations. */
export async function pluginCheck(args: readonly string[], host: Host): Promise<number> {
  const { values, words } = readArguments(
    args,
    {
      secret: text,
      key: text,
      token: text,
      host: text,
      property: { type: 'string', multiple: true },
      protocol: text,
      pushdown: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    ['URL'],
  );
  // Empty means the version that the plugin answers with.
  const { protocol = '' } = values;
  if (protocol !== '' && !/^\d{1,3}\.\d{1,3}\.\d{1,3}$/u.test(protocol))
    throw new UsageFault('--protocol must be a version such as 2.0.0');
  const reach: PluginReach = {
    name: 'plugin',
    baseUrl: addressOf(words[0] ?? ''),
    protocolVersion: protocol,
    pushdown: values.pushdown === true,
    secret: values.secret ?? null,
    host: values.host ?? null,
    key: values.key ?? null,
    token: values.token ?? null,
    properties: propertiesOf(values.property ?? []),
    user: { id: null, name: 'inlay plugin check', email: null },
  };
  // Allows every address, since the operator can reach any address from this machine anyway.
  const outbound = createOutbound({ policy: { allowPrivateHosts: true, allowHosts: [] } });
  const now = (): number => performance.now();
  const plugins = createPlugins(outbound, new Bulkhead(maxLeases, now), now);
  const { signal } = new AbortController();
  const findings: { readonly level: string; readonly check: string; readonly description: string }[] = [];
  try {
    const options = { organizationId: '', deadlineMs: 15_000, maxBytes: 64_000_000, signal };
    for await (const finding of checkPlugin(plugins, reach, options)) {
      findings.push(finding);
      if (values.json !== true) host.out(printableText(`${finding.level}  ${finding.check}: ${finding.description}`));
    }
  } finally {
    await outbound.close();
  }
  const failureCount = findings.filter(({ level }) => level === 'fail').length;
  if (values.json === true) host.out(JSON.stringify({ ok: failureCount === 0, checks: findings }, null, 2));
  else host.out(failureCount === 0 ? 'The plugin conforms to the protocol.' : `${failureCount} failed.`);
  return failureCount === 0 ? 0 : 1;
}
