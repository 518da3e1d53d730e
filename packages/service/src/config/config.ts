import { nearest } from '@inlay/contract';
import { ConfigFault, type Fault } from './fault.ts';
import { contradictions } from './conflicts.ts';
import { isFromFile, settings, variableOf, type Config, type Setting } from './settings.ts';

export { ConfigFault } from './fault.ts';
export type { Config } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Name = keyof Config;

const table: { readonly [Key in Name]: Setting<Config[Key]> } = settings;
const isName = (text: string): text is Name => Object.hasOwn(table, text);
const names = Object.keys(settings).filter(isName);

interface SettingText {
  readonly place: string;
  readonly text: string;
}

/** Finds the value of a setting and where it was set; undefined if unset. An empty variable counts as unset. */
function find(name: Name, env: Environment, readFile: (path: string) => string): SettingText | Fault | undefined {
  const variable = variableOf(name);
  const text = env[variable] ?? '';
  const path = isFromFile(table[name]) ? (env[`${variable}_FILE`] ?? '') : '';
  if (path === '') return text === '' ? undefined : { place: 'environment', text };
  const place = `file ${path}`;
  const fault = (problem: string, fix: string): Fault => ({ name: variable, place, problem, fix });
  if (text !== '') return fault('is set twice, as a value and as a file', `Remove ${variable} or ${variable}_FILE.`);
  try {
    const content = readFile(path).trim();
    return content === '' ? fault('the file is empty', 'Write the value to it.') : { place, text: content };
  } catch (error) {
    const codeNote = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return fault(`the file cannot be read${codeNote}`, `Check the path in ${variable}_FILE and its permissions.`);
  }
}

function unknownVariables(env: Environment): readonly string[] {
  const knownVariables = names.flatMap((name) => [
    variableOf(name),
    ...(isFromFile(table[name]) ? [`${variableOf(name)}_FILE`] : []),
  ]);
  return Object.keys(env)
    .filter((variable) => variable.startsWith('INLAY_') && !knownVariables.includes(variable))
    .map((variable) => {
      if (knownVariables.includes(variable.replace(/_FILE$/u, '')))
        return `${variable} is ignored: only secrets and the settings that belong to them can be read from files.`;
      const suggestion = nearest(variable, knownVariables);
      return `${variable} is not a setting and is ignored.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`;
    });
}

const isComplete = (values: Partial<Config>): values is Config => names.every((name) => Object.hasOwn(values, name));

/** Returns an address without its user and password, which are easily typed where they are not read. */
function withoutUser(text: string): string {
  const [from, to] = [text.indexOf('://'), text.lastIndexOf('@')];
  return from >= 0 && to > from ? `${text.slice(0, from + 3)}…${text.slice(to)}` : text;
}

/**
 * Reads the settings from environment variables. Secrets and settings that belong to them can also be in the files that
 * `INLAY_…_FILE` names. `warnings` are sentences about unknown INLAY_ variables. `readFile` returns a file's text or
 * throws. Raises ConfigFault with every fault at once.
 */
export function readConfig(
  env: Environment,
  readFile: (path: string) => string,
): { readonly config: Config; readonly warnings: readonly string[] } {
  const faults: Fault[] = [];
  const values: { -readonly [Key in Name]?: Config[Key] } = {};
  const places: { [Key in Name]?: string } = {};
  const production = (env['INLAY_ENV'] || env['NODE_ENV']) === 'production';

  const take = <Key extends Name>(name: Key): void => {
    const { kind, fallback, inProduction, secret } = table[name];
    values[name] = production && inProduction !== undefined ? inProduction : fallback;
    const setting = find(name, env, readFile);
    if (setting === undefined) return;
    if ('problem' in setting) return void faults.push(setting);
    places[name] = setting.place;
    const result = kind.read(setting.text);
    if ('value' in result) values[name] = result.value;
    else {
      const problem =
        secret === true ? result.problem : `${JSON.stringify(withoutUser(setting.text))} ${result.problem}`;
      faults.push({ name: variableOf(name), place: setting.place, problem, fix: result.fix });
    }
  };
  names.forEach(take);

  if (!isComplete(values)) throw new Error('a setting was not read');
  const config = values;
  const misreadNames = new Set(faults.map((fault) => fault.name));
  for (const { about, broken, problem, fix } of contradictions) {
    const [name] = about;
    if (about.some((setting) => misreadNames.has(variableOf(setting))) || !broken(config)) continue;
    faults.push({ name: variableOf(name), place: places[name] ?? 'not set', problem, fix });
  }
  if (faults.length > 0) throw new ConfigFault(faults);
  return { config, warnings: unknownVariables(env) };
}
