import { groups, isFromFile, settings, variableOf, type Setting } from '../config/settings.ts';

const settingText = (value: unknown): string =>
  value === undefined || (Array.isArray(value) && value.length === 0)
    ? 'none'
    : `\`${JSON.stringify(value)}\``.replaceAll('"', '');

const row = (name: string, setting: Setting<unknown>): string => {
  const { kind, fallback, inProduction, description: sentence, secret } = setting;
  const production = inProduction === undefined ? '' : `, in production ${settingText(inProduction)}`;
  const file = `a file named by \`${variableOf(name)}_FILE\`.`;
  const sourceNote = secret === true ? ` Secret; or ${file}` : isFromFile(setting) ? ` Or ${file}` : '';
  return `| \`${variableOf(name)}\` | ${kind.description} | ${settingText(fallback)}${production} | ${sentence}${sourceNote} |`;
};

/** Returns the settings reference as Markdown: a table per group. */
export function settingsReference(): string {
  const entries: readonly (readonly [string, Setting<unknown>])[] = Object.entries(settings);
  const sections = Object.entries(groups).map(([group, title]) => {
    const rows = entries.filter(([, entry]) => entry.group === group).map(([name, entry]) => row(name, entry));
    return `## ${title}\n\n| Setting | Type | Default | What it does |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  return `# Settings

Inlay reads its settings from environment variables at start and refuses to start when one is wrong, listing every fault
at once. An empty variable counts as not set. Variables that begin with \`INLAY_\` and are no setting are warned about.

${sections.join('\n')}`;
}
