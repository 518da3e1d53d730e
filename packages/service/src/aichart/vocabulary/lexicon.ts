const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that say nothing about a column. */
export const stopWords = set(
  'a an the of and or for in on at by to from with as is are was were be been do does did has have had what which who ' +
    'whose how that this these those there their them they it its all any each every per me my i you we us our please ' +
    'show give list find display return tell draw plot visualize create make want would like can could see get using use ' +
    'into than then also about across over between versus vs against both only just now not no many much so if when ' +
    'where chart graph plots diagram bar different distinct various respective corresponding ones one some along together ' +
    'well information result results record records data let out up more most least go happened many',
);

/** Words that say what to do with a column. They are not matched with column names as misspelt or abbreviated words. */
export const cueWords = set(
  'count counts number numbers average avg mean total sum minimum minimal maximum maximal min max each every sort order rank ' +
    'ascending descending high low top bottom trend line scatter compare comparison distribution proportion group grouped bin ' +
    'first last axis names name more most least median growth change',
);

/** Nouns of datasets that stand for an amount, not for rows that could be counted. */
export const massNouns = set(
  'milk water energy electricity gas fuel stock inventory production output consumption usage traffic rainfall waste payroll ' +
    'spend spending cash budget turnover yield harvest attendance',
);

/** Words in column names that hardly distinguish columns, with their weights: `customer_name` is close to `name`. */
export const faintWords: ReadonlyMap<string, number> = new Map([
  ...[...set('id ids code codes cd key no num nr text label s value f pct flg flag ind ts timestamp nm')].map(
    (word) => [word, 0.4] as const,
  ),
  ...[...set('name names number count cnt date time details title')].map((word) => [word, 0.55] as const),
  ...[...set('type types tp typ amount total')].map((word) => [word, 0.8] as const),
  // Units only say how a number is written.
  ...[
    ...set(
      'mm cm m km kg g lb lbs oz mph kmh kph knots c celsius fahrenheit usd eur gbp dollar dollars euro euros inch inches ft feet ' +
        'mile miles sec secs seconds ms mins degrees litres liters tons tonnes hectares acres mb gb kwh',
    ),
  ].map((word) => [word, 0.3] as const),
]);

const unitSpellings =
  'km kms kilometre kilometres kilometer kilometers kilometern kilometro kilometros|kwh|' +
  'kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramo kilogramos|t ton tons tonne tonnes tonnen tonelada toneladas|' +
  'l litre litres liter liters litern litro litros|ha hectare hectares hektar hectarea hectareas|m2 sqm|' +
  'h hr hrs hour hours uur uren heure heures stunde stunden hora horas|min mins minute minutes minuut minuten minuto minutos|' +
  's sec secs second seconds seconde seconden secondes sekunde sekunden segundo segundos|' +
  'day days dag dagen jour jours tag tage tagen dia dias|night nights nacht nachte nachten nuits noches|mile miles meilen';

/** Words for units in the languages of questions, by the unit that they write. */
export const unitWords: ReadonlyMap<string, string> = new Map(
  unitSpellings.split('|').flatMap((spellings) => {
    const words = spellings.split(' ');
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);
