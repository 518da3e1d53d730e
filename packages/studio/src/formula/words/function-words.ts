import { formulaFunctions, type FormulaFunction, type FormulaParameterKind } from '@inlay/query';
import { textsIn } from '../../words/words.ts';

/** What functions give and what their parameters are called, in one language. */
export interface FunctionWords {
  readonly describe: (of: FormulaFunction) => string;
  readonly nameOf: (parameter: FormulaParameterKind) => string;
}

const parameterKinds: readonly FormulaParameterKind[] = [
  ...(['number', 'text', 'time', 'boolean', 'any', 'same'] as const),
  ...(['whole', 'constant text', 'unit', 'digits', 'percent'] as const),
];

interface Lines {
  /** What each function gives, in the order of the functions, separated by `|`; empty for what they say themselves. */
  readonly functions: string;
  /** What parameters are called, in the order of their kinds. */
  readonly parameters: string;
}

const lines: Readonly<Record<string, Lines>> & { readonly en: Lines } = {
  en: {
    functions: '',
    parameters: 'number|text|time|condition|value|value|whole number or date|quoted text|unit|digits|percent',
  },
  nl: {
    functions:
      'het getal zonder teken|het gehele getal op of onder|het gehele getal op of boven|-1, 0 of 1|de vierkantswortel; null onder nul|de natuurlijke logaritme; null op en onder nul|de logaritme met grondtal tien; null op en onder nul|e tot die macht; null waar dat te groot is|het eerste tot de macht van het tweede; null waar dat geen reëel getal of te groot is|afgerond, halven van nul af, op zoveel cijfers (-15 tot 15, eerst 0)|' +
      'in kleine letters|in hoofdletters|zonder spaties aan beide einden|hoeveel tekens het heeft|de teksten achter elkaar; null telt als leeg|vanaf een teken (het eerste is 1), zoveel ervan; null daarbuiten|met elk voorkomen van de tweede vervangen door de derde|een geheel getal of een datum als tekst|' +
      'of de tweede ergens in de eerste staat|of de eerste met de tweede begint|of de eerste met de tweede eindigt|of de tekst bij een patroon past: % een willekeurige tekst, _ één teken|' +
      'het jaar|het kwartaal, 1 tot 4|de maand, 1 tot 12|de week volgens ISO 8601|de dag van de maand|de dag van de week, 1 maandag tot 7 zondag|het uur, 0 tot 23|de minuut|de hele seconde|de tijd van de vraag|de datum van de vraag|' +
      'het begin van het jaar, kwartaal, de maand, week, dag, het uur, de minuut of seconde|verschoven met zoveel eenheden; een maand houdt de dag, anders de laatste|hoeveel grenzen van de eenheid tussen de eerste en de tweede liggen|' +
      'het tweede waar het eerste waar is, anders het derde|het eerste dat niet null is|het eerste, of null waar beide gelijk zijn|' +
      'de som|het gemiddelde|hetzelfde als avg|de mediaan|de waarde waaronder zoveel procent van de waarden ligt|de standaardafwijking van een steekproef|de kleinste|de grootste|hoeveel verschillende waarden er zijn|hoeveel waarden er zijn; count(*) telt rijen',
    parameters:
      'getal|tekst|tijd|voorwaarde|waarde|waarde|geheel getal of datum|tekst tussen aanhalingstekens|eenheid|cijfers|procent',
  },
  fr: {
    functions:
      'le nombre sans son signe|l’entier égal ou inférieur|l’entier égal ou supérieur|-1, 0 ou 1|la racine carrée ; null sous zéro|le logarithme naturel ; null à zéro et au-dessous|le logarithme de base dix ; null à zéro et au-dessous|e à cette puissance ; null si c’est trop grand|le premier à la puissance du second ; null si ce n’est pas un nombre réel ou si c’est trop grand|arrondi, les demis loin de zéro, à tant de chiffres (-15 à 15, 0 d’abord)|' +
      'en minuscules|en majuscules|sans espaces aux deux bouts|combien de caractères il a|les textes l’un après l’autre ; null compte comme vide|à partir d’un caractère (le premier est 1), autant que demandé ; null au-delà|avec chaque occurrence du deuxième remplacée par le troisième|un entier ou une date sous forme de texte|' +
      'si le second est quelque part dans le premier|si le premier commence par le second|si le premier finit par le second|s’il correspond à un motif : % un texte quelconque, _ un caractère|' +
      'l’année|le trimestre, 1 à 4|le mois, 1 à 12|la semaine ISO 8601|le jour du mois|le jour de la semaine, 1 lundi à 7 dimanche|l’heure, 0 à 23|la minute|la seconde entière|l’heure de la requête|la date de la requête|' +
      'le début de son année, trimestre, mois, semaine, jour, heure, minute ou seconde|décalé d’autant d’unités ; un mois garde le jour, sinon son dernier|combien de limites de l’unité séparent le premier du second|' +
      'le deuxième si le premier est vrai, sinon le troisième|le premier qui n’est pas null|le premier, ou null si les deux sont égaux|' +
      'la somme|la moyenne|la même chose que avg|la médiane|la valeur sous laquelle se trouve ce pourcentage des valeurs|l’écart type d’un échantillon|le plus petit|le plus grand|combien de valeurs différentes il y a|combien de valeurs il y a ; count(*) compte les lignes',
    parameters:
      'nombre|texte|temps|condition|valeur|valeur|entier ou date|texte entre guillemets|unité|chiffres|pour cent',
  },
  de: {
    functions:
      'die Zahl ohne Vorzeichen|die ganze Zahl gleich oder darunter|die ganze Zahl gleich oder darüber|-1, 0 oder 1|die Quadratwurzel; null unter null|der natürliche Logarithmus; null bei null und darunter|der Logarithmus zur Basis zehn; null bei null und darunter|e hoch diese Zahl; null, wo das zu groß ist|das Erste hoch das Zweite; null, wo das keine reelle Zahl oder zu groß ist|gerundet, Halbe von null weg, auf so viele Stellen (-15 bis 15, sonst 0)|' +
      'in Kleinbuchstaben|in Großbuchstaben|ohne Leerzeichen an beiden Enden|wie viele Zeichen er hat|die Texte hintereinander; null zählt als leer|ab einem Zeichen (das erste ist 1), so viele davon; null außerhalb|jedes Vorkommen des Zweiten durch das Dritte ersetzt|eine ganze Zahl oder ein Datum als Text|' +
      'ob das Zweite irgendwo im Ersten steht|ob das Erste mit dem Zweiten beginnt|ob das Erste mit dem Zweiten endet|ob er zu einem Muster passt: % beliebiger Text, _ ein Zeichen|' +
      'das Jahr|das Quartal, 1 bis 4|der Monat, 1 bis 12|die Woche nach ISO 8601|der Tag des Monats|der Wochentag, 1 Montag bis 7 Sonntag|die Stunde, 0 bis 23|die Minute|die ganze Sekunde|die Zeit der Abfrage|das Datum der Abfrage|' +
      'der Anfang von Jahr, Quartal, Monat, Woche, Tag, Stunde, Minute oder Sekunde|um so viele Einheiten verschoben; ein Monat behält den Tag, sonst seinen letzten|wie viele Grenzen der Einheit zwischen dem Ersten und dem Zweiten liegen|' +
      'das Zweite, wo das Erste wahr ist, sonst das Dritte|das Erste, das nicht null ist|das Erste, oder null, wo beide gleich sind|' +
      'die Summe|der Durchschnitt|dasselbe wie avg|der Median|der Wert, unter dem so viel Prozent der Werte liegen|die Standardabweichung einer Stichprobe|das Kleinste|das Größte|wie viele verschiedene Werte es gibt|wie viele Werte es gibt; count(*) zählt Zeilen',
    parameters:
      'Zahl|Text|Zeit|Bedingung|Wert|Wert|ganze Zahl oder Datum|Text in Anführungszeichen|Einheit|Stellen|Prozent',
  },
  es: {
    functions:
      'el número sin su signo|el entero igual o inferior|el entero igual o superior|-1, 0 o 1|la raíz cuadrada; null por debajo de cero|el logaritmo natural; null en cero y por debajo|el logaritmo de base diez; null en cero y por debajo|e elevado a esa potencia; null si es demasiado grande|el primero elevado al segundo; null si no es un número real o es demasiado grande|redondeado, los medios lejos de cero, a tantas cifras (-15 a 15, al principio 0)|' +
      'en minúsculas|en mayúsculas|sin espacios en ambos extremos|cuántos caracteres tiene|los textos uno tras otro; null cuenta como vacío|desde un carácter (el primero es 1), tantos como se pidan; null fuera de ahí|con cada aparición del segundo sustituida por el tercero|un entero o una fecha como texto|' +
      'si el segundo está en alguna parte del primero|si el primero empieza por el segundo|si el primero termina con el segundo|si se ajusta a un patrón: % cualquier texto, _ un carácter|' +
      'el año|el trimestre, 1 a 4|el mes, 1 a 12|la semana ISO 8601|el día del mes|el día de la semana, 1 lunes a 7 domingo|la hora, 0 a 23|el minuto|el segundo entero|la hora de la consulta|la fecha de la consulta|' +
      'el comienzo de su año, trimestre, mes, semana, día, hora, minuto o segundo|desplazado tantas unidades; un mes conserva el día, si no su último|cuántos límites de la unidad hay entre el primero y el segundo|' +
      'el segundo donde el primero es verdadero, si no el tercero|el primero que no es null|el primero, o null donde ambos son iguales|' +
      'la suma|la media|lo mismo que avg|la mediana|el valor bajo el que queda ese porcentaje de los valores|la desviación típica de una muestra|el menor|el mayor|cuántos valores distintos hay|cuántos valores hay; count(*) cuenta filas',
    parameters:
      'número|texto|tiempo|condición|valor|valor|entero o fecha|texto entre comillas|unidad|cifras|por ciento',
  },
  ar: {
    functions:
      'العدد دون إشارته|العدد الصحيح المساوي أو الأصغر|العدد الصحيح المساوي أو الأكبر|‎-1 أو 0 أو 1|الجذر التربيعي؛ null تحت الصفر|اللوغاريتم الطبيعي؛ null عند الصفر وتحته|اللوغاريتم العشري؛ null عند الصفر وتحته|العدد e مرفوعًا إلى تلك القوة؛ null إن كبر كثيرًا|الأول مرفوعًا إلى قوة الثاني؛ null إن لم يكن عددًا حقيقيًا أو كبر كثيرًا|مقرّبًا، والأنصاف بعيدًا عن الصفر، إلى عدد من الخانات (‎-15 إلى 15، و0 أصلًا)|' +
      'بأحرف صغيرة|بأحرف كبيرة|دون مسافات في الطرفين|عدد أحرفه|النصوص واحدًا بعد الآخر؛ وnull كالفارغ|من حرف معيّن (الأول 1) بذلك العدد؛ null خارج ذلك|مع استبدال الثالث بكل ورود للثاني|عدد صحيح أو تاريخ على هيئة نص|' +
      'هل الثاني في مكان ما من الأول|هل يبدأ الأول بالثاني|هل ينتهي الأول بالثاني|هل يوافق نمطًا: % أي نص، و_ حرف واحد|' +
      'السنة|الربع، من 1 إلى 4|الشهر، من 1 إلى 12|الأسبوع وفق ISO 8601|يوم الشهر|يوم الأسبوع، من 1 الاثنين إلى 7 الأحد|الساعة، من 0 إلى 23|الدقيقة|الثانية الكاملة|وقت الاستعلام|تاريخ الاستعلام|' +
      'بداية سنته أو ربعه أو شهره أو أسبوعه أو يومه أو ساعته أو دقيقته أو ثانيته|منقولًا بعدد من الوحدات؛ يحفظ الشهر اليوم وإلا فآخر أيامه|عدد حدود الوحدة بين الأول والثاني|' +
      'الثاني إن صح الأول، وإلا فالثالث|أول ما ليس null|الأول، أو null إن تساويا|' +
      'المجموع|المتوسط|مثل avg|الوسيط|القيمة التي تقع تحتها تلك النسبة المئوية من القيم|الانحراف المعياري لعينة|الأصغر|الأكبر|عدد القيم المختلفة|عدد القيم؛ وcount(*) يعدّ الصفوف',
    parameters: 'عدد|نص|وقت|شرط|قيمة|قيمة|عدد صحيح أو تاريخ|نص بين علامتي اقتباس|وحدة|خانات|نسبة مئوية',
  },
};

/** Returns the words for a locale; English if there is no translation. */
export function functionWordsFor(locale: string): FunctionWords {
  const { functions, parameters } = textsIn(lines, locale);
  const sentences = functions.split('|');
  const names = parameters.split('|');
  return {
    describe: ({ name, description }) =>
      sentences[formulaFunctions.findIndex((one) => one.name === name)] || description,
    nameOf: (parameter) => names[parameterKinds.indexOf(parameter)] ?? parameter,
  };
}
