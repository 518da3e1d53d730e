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
  'count counts number numbers average mean total sum minimum minimal maximum maximal min max each every sort order rank ' +
    'ascending descending high low top bottom trend line scatter compare comparison distribution proportion group grouped bin ' +
    'first last axis names name more most least median growth change',
);

/** Words in column names that hardly distinguish columns, with their weights: `customer_name` is close to `name`. */
export const faintWords: ReadonlyMap<string, number> = new Map([
  ...[...set('id ids code codes key no num nr text label s value f pct')].map((word) => [word, 0.4] as const),
  ...[...set('name names number date time details title')].map((word) => [word, 0.55] as const),
  ...[...set('type types amount total')].map((word) => [word, 0.8] as const),
  // Units only say how a number is written.
  ...[
    ...set(
      'mm cm m km kg g lb lbs oz mph kmh kph knots c celsius fahrenheit usd eur gbp dollar dollars euro euros inch inches ft feet ' +
        'mile miles sec secs seconds ms mins degrees litres liters tons tonnes hectares acres mb gb kwh',
    ),
  ].map((word) => [word, 0.3] as const),
]);

const unitSpellings =
  'km kms kilometre kilometres kilometer kilometers|kwh|kg kilo kilos kilogram kilograms|t ton tons tonne tonnes|l litre litres liter liters|' +
  'ha hectare hectares|m2 sqm|h hr hrs hour hours|min mins minute minutes|s sec secs second seconds|day days|night nights|mile miles';

/** Words for units, by the unit that they write. */
export const unitWords: ReadonlyMap<string, string> = new Map(
  unitSpellings.split('|').flatMap((spellings) => {
    const words = spellings.split(' ');
    return words.map((word) => [word, words[0] ?? word] as const);
  }),
);

/** Abbreviations that are common in column names, with the complete words. */
export const shortForms: Readonly<Record<string, string>> = {
  acc: 'account',
  acct: 'account',
  addr: 'address',
  amt: 'amount',
  apt: 'apartment',
  attr: 'attribute',
  avg: 'average',
  bal: 'balance',
  cat: 'category',
  cnt: 'count',
  cred: 'credits',
  ctry: 'country',
  curr: 'currency',
  cust: 'customer',
  dept: 'department',
  desc: 'description',
  dest: 'destination',
  dist: 'distance',
  dob: 'birth date',
  dt: 'date',
  emp: 'employee',
  fname: 'first name',
  hrs: 'hours',
  ht: 'height',
  inv: 'invoice',
  lat: 'latitude',
  lname: 'last name',
  lng: 'longitude',
  loc: 'location',
  lon: 'longitude',
  long: 'longitude',
  max: 'maximum',
  mfg: 'manufacturer',
  mgr: 'manager',
  min: 'minimum',
  mth: 'month',
  nbr: 'number',
  num: 'number',
  ord: 'order',
  org: 'organization',
  pct: 'percent',
  pos: 'position',
  prod: 'product',
  prof: 'professor',
  pts: 'points',
  qty: 'quantity',
  ref: 'reference',
  sal: 'salary',
  stu: 'student',
  tel: 'phone',
  temp: 'temperature',
  tot: 'total',
  txn: 'transaction',
  univ: 'university',
  wt: 'weight',
  yr: 'year',
};

/** Groups of synonyms. A group consists of stems and complete words. */
const synonymGroups: readonly string[] = [
  'revenue sales turnover income takings amount',
  'amount value sum total',
  'price cost fee charge fare rent',
  'cost expense spend spending expenditure',
  'profit margin earnings gain',
  'salary wage pay payment compensation earn earning',
  'customer client buyer shopper',
  'employee staff worker personnel',
  'product item article good sku',
  'country nation nationality',
  'city town',
  'state province',
  'region area territory zone',
  'gender sex',
  'job occupation profession title',
  'category type kind class group',
  'quantity units volume count',
  'department division',
  'store shop outlet branch',
  'vendor supplier',
  'company firm business organization',
  'movie film',
  'teacher instructor professor',
  'student pupil',
  'car vehicle automobile',
  'airplane aircraft plane',
  'score rating grade mark points',
  'date day time',
  'year annual season',
  'phone telephone mobile',
  'email mail',
  'manager head leader boss',
  'stock inventory',
  'discount rebate',
  'duration length time',
  'begin start from',
  'end finish to',
  'open opening founded',
  'birth birthday born',
  'population residents inhabitants people',
  'enrollment enrolled students',
  'distance mileage',
  'rank ranking position',
  'height tall',
  'weight heavy',
  'age old',
  'channel source medium',
  'status state',
  'segment group',
  'id identifier',
  'method way',
  'location place',
  'description details',
  'director directed',
  'capacity size',
  'language tongue',
  'major subject',
  'mean average',
];

/** For each word, its synonyms. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = (() => {
  const map = new Map<string, Set<string>>();
  for (const group of synonymGroups) {
    const words = group.split(' ');
    for (const word of words) {
      const synonymsOf = map.get(word) ?? new Set<string>();
      for (const other of words) if (other !== word) synonymsOf.add(other);
      map.set(word, synonymsOf);
    }
  }
  return map;
})();

/** Patterns of values and phrases that refer to a column by its topic. */
export const pointers: readonly { readonly pattern: RegExp; readonly means: string }[] = [
  {
    pattern: /\b(?:male and female|female and male|men and women|boys and girls|males and females)\b/gu,
    means: 'gender',
  },
  { pattern: /\bhow old\b/gu, means: 'age' },
  { pattern: /\b(?:youngest|oldest|older|younger)\b/gu, means: 'age' },
  { pattern: /\b(?:how much|costs?|cheapest|most expensive|least expensive)\b/gu, means: 'price' },
  { pattern: /\b(?:how long|longest|shortest)\b/gu, means: 'duration' },
  { pattern: /\b(?:tallest|how tall)\b/gu, means: 'height' },
  { pattern: /\b(?:how far|farthest|furthest)\b/gu, means: 'distance' },
  { pattern: /\b(?:heaviest|lightest|how heavy)\b/gu, means: 'weight' },
  { pattern: /\b(?:hottest|warmest|coldest|coolest|how hot|how cold)\b/gu, means: 'temperature' },
  { pattern: /\b(?:fastest|slowest|how fast)\b/gu, means: 'speed' },
  { pattern: /\b(?:richest|poorest)\b/gu, means: 'income' },
];
