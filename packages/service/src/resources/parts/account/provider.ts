import { filledText, textOr, type JsonObject } from '@inlay/contract';
import type { Caller } from '../../../access/caller.ts';
import { columnsOf, condition, permits } from '../../../access/permits.ts';
import { providerOf } from '../../../connectors/providers.ts';
import { Problem } from '../../../problems/problem.ts';
import { forVariety } from '../../../declare/variety.ts';
import type { Resource } from '../../../resource/define.ts';
import type { Rule } from '../../../resource/rules.ts';
import type { Warning } from '../../../declare/warning.ts';
import { sql, text } from '../../../store/sql.ts';
import type { Reader } from '../../../store/store.ts';
import { plugin } from '../../plugin.ts';

const { get = { kind: 'operator' } }: Resource['roles'] = plugin.roles;

/** Returns the id of the plugin with a slug that the caller can see; null if there is none. */
async function pluginBySlug(reader: Reader, caller: Caller | null, slug: string): Promise<string | null> {
  const role = forVariety(get, undefined);
  if (caller === null || role === undefined) return null;
  const [row] = await reader.rows(
    sql`select t.id from plugin t where t.slug = ${slug} and ${condition(permits(role, caller, columnsOf(text('t'))))}`,
  );
  return filledText(row?.['id']);
}

async function slugOf(reader: Reader, id: string): Promise<string | null> {
  const [row] = await reader.rows(sql`select slug from plugin where id = ${id}`);
  return filledText(row?.['slug']);
}

const contradiction = (slug: string): Problem =>
  new Problem('validation_failed', {
    validation: { 'properties.provider': [`contradicts plugin_id, whose plugin is "${slug}"; send one of the two`] },
  });

/**
 * Resolves `provider` and `plugin_id` of a request, which name a built-in provider, or a plugin by its id or slug.
 * Returns the fields to change. Raises Problem if they contradict each other. specification/resources#account
 */
export async function meantProvider(reader: Reader, caller: Caller | null, sent: JsonObject): Promise<JsonObject> {
  const provider = filledText(sent['provider']);
  const pluginId = filledText(sent['plugin_id']);
  const isOurs = provider !== null && providerOf(provider) !== undefined;
  const named = provider === null || isOurs ? null : await pluginBySlug(reader, caller, provider);
  if (pluginId === null) {
    if (isOurs) return { plugin_id: null };
    return named === null ? {} : { plugin_id: named };
  }
  const slug = await slugOf(reader, pluginId);
  if (provider === null) return slug === null ? {} : { provider: slug };
  if (slug !== null && slug !== provider && (isOurs || named !== null)) throw contradiction(slug);
  return {};
}

export const takeProvider: Rule = {
  name: 'provider-or-plugin',
  on: ['create', 'update'],
  description:
    'A built-in provider wins; otherwise `provider` may be the slug of a plugin that the caller can see, which sets `plugin_id`. `plugin_id` alone sets `provider`.',
  run: async ({ sent, caller }, { transaction }) => ({ record: await meantProvider(transaction, caller, sent) }),
};

/** Warns of a provider that is neither built in nor a plugin. */
export const unknownProvider = (record: JsonObject): readonly Warning[] => {
  const provider = textOr(record['provider'], '');
  if (provider === '' || filledText(record['plugin_id']) !== null || providerOf(provider) !== undefined) return [];
  return [
    {
      path: 'provider',
      code: 'provider_unknown',
      message: `"${provider.slice(0, 100)}" is no built-in provider and no plugin that you can see; nothing can be read through this account.`,
    },
  ];
};
