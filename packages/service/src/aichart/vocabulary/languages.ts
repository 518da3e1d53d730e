import { folded } from '../../columns/name-words.ts';
import { ownLanguageOf } from './concepts.ts';
import { functionWordsOf } from './function-words.ts';
import { cueWords, stopWords } from './lexicon.ts';
import { excluding } from './negation.ts';
import { phrasesOf } from './phrases.ts';
import { languages, type Language } from './question-languages.ts';
import { stemOf, wordsOf, type Word } from './words.ts';

/**
 * For each language, cues and their English translations. Several cues with the same translation precede one `:`. Cues
 * are in lower case and without accents.
 */
const lists: Readonly<Record<Language, string>> = {
  en: `by make,by makes:by brand|per make:per brand|each make:each brand|nr of,nbr of,num of,no of,nos of,amount of times,volume of:number of|headcount,head count:number`,
  nl: `aantal:number of|hoeveel:how many|gemiddelde,gemiddeld,gem:average|totale,totaal,som,samen:total|hoogste,grootste,maximale,maximum,hoogst:highest|duurste:most expensive|goedkoopste:cheapest|langste:longest|kortste:shortest|
laagste,kleinste,minimale,minimum,laagst:lowest|mediaan:median|per:per|volgens,op basis van:by|elke,elk,iedere:each|van:of|en:and|met:with|de,het,een:the|voor:for|in:in|
over:over|maand,maanden:month|maandelijks,maandelijkse:monthly|jaar,jaren:year|jaarlijks,jaarlijkse:yearly|kwartaal,kwartalen:quarter|week,weken:week|wekelijks,wekelijkse:weekly|dag,dagen:day|dagelijks,dagelijkse:daily|weekdag:weekday|uur:hour|hoeveel procent van,hoeveel procent is,hoeveel procent,welk percentage van,welk percentage is,welk percentage:percentage of|deel van:share of|
taartdiagram,taartgrafiek,cirkeldiagram,ringdiagram:pie chart|staafdiagram,staafgrafiek:bar chart|kolomdiagram,kolomgrafiek:column chart|lijndiagram,lijngrafiek,lijn grafiek:line chart|vlakdiagram:area chart|spreidingsdiagram,puntenwolk:scatter plot|kaart van,kaart met,landkaart,wereldkaart,op een kaart,op de kaart:map of|
als tabel,als een tabel,in een tabel,in tabel:as a table|tabel met,tabel van:table with|draaitabel,kruistabel:pivot table|aandeel,verhouding,percentage:share of|evolutie,verloop,trend:trend of|doorheen de tijd,over de tijd:over time|
verband tussen,relatie tussen,samenhang tussen:relationship between|verdeling:distribution|vergelijk,vergelijking:compare|opgesplitst per,opgesplitst volgens,opgedeeld per,gesplitst per,uitgesplitst per:split by|
filter op,filteren op:filter on|kies:choose|periode:date|keuzelijst:dropdown|schuifregelaar:slider|oplopend:ascending|aflopend:descending|gesorteerd,sorteer:sorted|op:by|alfabetisch:alphabetical|nu:now|alleen,enkel:only|
meest verkochte,best verkochte:most sold|meest bezochte:most visited|meest gebruikte:most used|meest geboekte:most booked|populairste:most popular|meest voorkomende:most frequent|beste,meeste:top|slechtste,minste:bottom|verschillende,unieke:distinct|tegenover,versus:versus|toon,geef,laat:show|welke:which|heeft:has|hebben we:do we have|bestellingen:orders|ook:also|groei:growth|cumulatief,cumulatieve,opgelopen:cumulative|voeg toe:add|in plaats daarvan,in de plaats:instead`,
  fr: `effectif,effectifs:number|nombre de,nombre des,nombre:number of|combien de,combien d,combien:how many|moyenne de,moyen de:average|moyenne,moyen,moyennes,moyens:average|total,totale,totaux,totales,somme:total|somme de,total de:total|
plus eleve,plus elevee,plus haut,plus haute,maximal,maximale,maximum:highest|plus bas,plus basse,plus faible,minimal,minimale,minimum:lowest|mediane,median,medians,medianes:median|quel pourcentage de,quel pourcentage des,quel pourcentage:percentage of|plus cher,plus chere,plus chers,plus cheres:most expensive|moins cher,moins chere,moins chers,moins cheres:cheapest|taux de,taux des,taux du,taux:rate of|par:by|chaque:each|selon:by|de,du,des:of|et:and|avec:with|le,la,les,un,une,l,d:the|pour:for|en,dans:in|sur:on|
mois,mensuel,mensuelle:month|annee,an,ans,annuel,annuelle:year|trimestre,trimestriel:quarter|semaine,hebdomadaire:week|jour,jours,quotidien:day|jour de la semaine:weekday|heure:hour|
camembert,diagramme circulaire,graphique circulaire,anneau:pie chart of|diagramme en barres,graphique en barres,graphique a barres,barres:bar chart of|histogramme de,histogramme des,histogramme du,histogramme:histogram of|courbe,graphique en ligne,graphique lineaire:line chart of|aires:area chart|nuage de points:scatter plot of|carte de,carte des,carte du,carte du monde,sur une carte,carte choroplethe:map of|
en tableau,sous forme de tableau,dans un tableau:as a table|tableau de,tableau des,tableau avec,tableau:table with|tableau croise,tableau croise dynamique:pivot table of|part de,part des,proportion de,repartition de,repartition des,repartition du,pourcentage de,pourcentage:share of|evolution de,evolution du,evolution des,evolution:trend of|
au fil du temps,dans le temps:over time|relation entre,lien entre,correlation entre:relationship between|distribution:distribution|comparer,comparaison:compare|reparti par,repartie par,ventile par,ventilee par,separe par,divise par:split by|
filtre sur,filtrer par,filtre de,filtre pour:filter on|choisir,choisis:choose|periode:date|liste deroulante:dropdown|curseur:slider|croissant,croissante:ascending|decroissant,decroissante:descending|ordre:order|trie,triee,trier:sorted|alphabetique:alphabetical|
avec le plus de,avec le plus d:with most|avec le moins de,avec le moins d:with least|plus vendus,plus vendues:most sold|plus populaires:most popular|plus frequents,plus frequentes:most frequent|plus visites,plus visitees:most visited|plus utilises,plus utilisees:most used|plus reserves,plus reservees:most booked|
contre,face a,par rapport a:versus|maintenant:now|cumule,cumulee,cumules,cumulees:cumulative|croissance:growth|seulement,uniquement:only|meilleurs,meilleures,meilleur,premiers,premieres,principaux:best|pires,derniers:worst|differents,differentes,distincts,uniques:distinct|montre,montrer,affiche,donne:show|commandes:orders|ajoute,ajouter:add|quel,quelle,quels,quelles:which|a:has`,
  de: `anzahl der,anzahl von,anzahl an,anzahl:number of|wie viele,wieviele:how many|durchschnittliche,durchschnittlicher,durchschnittliches,durchschnittlichen,durchschnitt,mittlere,mittlerer:average|gesamte,gesamter,gesamtes,gesamt,summe,summe der:total|
hochste,hochster,hochstes,hochsten,grosste,grossten,maximale,maximaler,maximum:highest|niedrigste,niedrigsten,kleinste,kleinsten,geringste,minimale,minimum:lowest|wie viel prozent der,wie viel prozent,wieviel prozent der,wieviel prozent,prozentsatz der,prozentsatz:percentage of|teuerste,teuersten,teuerster:most expensive|billigste,billigsten,gunstigste,gunstigsten:cheapest|langste,langsten:longest|kurzeste,kurzesten:shortest|median,mediane:median|durchschnittl,durchschn,im schnitt:average|pro,je:per|nach:by|jede,jeden,jedes:each|von,der,des:of|und:and|mit:with|die,das,den,dem,ein,eine,einen:the|fur:for|im,in:in|
monat,monate,monatlich,monatliche:month|jahr,jahre,jahrlich,jahrliche:year|quartal,quartale:quarter|woche,wochen,wochentlich:week|tag,tage,taglich:day|wochentag:weekday|stunde:hour|
kreisdiagramm,tortendiagramm,ringdiagramm:pie chart of|balkendiagramm:bar chart of|saulendiagramm:column chart of|liniendiagramm:line chart of|flachendiagramm:area chart of|streudiagramm:scatter plot of|karte der,karte von,karte des,landkarte,weltkarte,auf einer karte,auf der karte:map of|art der,art des,art von:type of|als tabelle,in einer tabelle:as a table|tabelle mit,tabelle der,tabelle von,tabelle:table with|pivottabelle,kreuztabelle:pivot table of|
anteil der,anteil von,anteil,quote der:share of|uhrzeit,tageszeit:hour of day|entwicklung,verlauf,trend:trend of|uber die zeit,im zeitverlauf:over time|zusammenhang zwischen,beziehung zwischen,korrelation zwischen:relationship between|verteilung:distribution|vergleich,vergleiche:compare|aufgeteilt nach,aufgeschlusselt nach,getrennt nach,unterteilt nach:split by|
filter fur,filter auf,filter nach,filtern nach:filter on|wahle,auswahl:choose|zeitraum:date|auswahlliste:dropdown|schieberegler:slider|aufsteigend:ascending|absteigend:descending|sortiert,sortiere:sorted|alphabetisch:alphabetical|jetzt,nun:now|wachstum:growth|kumuliert,kumulierte,kumulierter,kumuliertes,aufgelaufen,aufgelaufene:cumulative|nur:only|
meistverkauften,meistverkaufte:most sold|meistbesuchten,meistbesuchte:most visited|meistgenutzten,meistgenutzte:most used|meistgebuchten,meistgebuchte:most booked|beliebtesten,beliebteste:most popular|haufigsten,haufigste:most frequent|gegen,gegenuber:versus|besten,beste,top,meisten:best|schlechtesten,wenigsten:worst|verschiedene,eindeutige:distinct|zeige,zeig:show|bestellungen,auftrage:orders|hinzufugen:add|stattdessen:instead|welche,welcher,welches:which|hat:has`,
  es: `numero de,cantidad de pedidos:number of|cuantos,cuantas:how many|promedio de,media de:average|medio de pago,medios de pago:medio pago|promedio,media,medio:average|total,totales,suma de,suma:total|mas alto,mas alta,maximo,maxima,mayor:highest|mas bajo,mas baja,minimo,minima,menor:lowest|que porcentaje de,que porcentaje:percentage of|mas caro,mas cara,mas caros,mas caras:most expensive|mas barato,mas barata,mas baratos,mas baratas:cheapest|mas largo,mas larga,mas largos,mas largas:longest|mas corto,mas corta,mas cortos,mas cortas:shortest|mediana:median|
por,segun:by|cada:each|de,del:of|y,e:and|con:with|el,la,los,las,un,una:the|para:for|en:in|mes,meses,mensual,mensuales:month|ano,anos,anual,anuales:year|trimestre,trimestral:quarter|semana,semanal:week|dia,dias,diario:day|dia de la semana:weekday|hora:hour|
grafico circular de,grafico de pastel de,grafico de tarta de,grafico circular:pie chart of|grafico de barras de,grafico de barras:bar chart of|grafico de columnas de:column chart of|grafico de lineas de,grafico de lineas:line chart of|grafico de dispersion de,dispersion:scatter plot of|mapa de,mapa del,mapa con,en un mapa,mapamundi:map of|como tabla,en una tabla:as a table|tabla de,tabla con,tabla:table with|tabla dinamica de,tabla dinamica:pivot table of|
proporcion de,porcentaje de,participacion de:share of|tasa de,tasa:rate of|evolucion de,evolucion,tendencia de,tendencia:trend of|a lo largo del tiempo,en el tiempo:over time|relacion entre,correlacion entre:relationship between|distribucion de,distribucion:distribution of|comparar,comparacion:compare|dividido por,desglosado por,separado por:split by|
filtro de,filtro por,filtrar por,filtro para,filtro:filter on|elegir,elige:choose|periodo:date|lista desplegable:dropdown|deslizador:slider|ascendente:ascending|descendente:descending|ordenado,ordenada,ordenar:sorted|alfabetico:alphabetical|orden:order|ahora:now|crecimiento:growth|acumulado,acumulada,acumulados,acumuladas:cumulative|solo,solamente:only|
con mas:with most|con menos:with least|mas vendidos,mas vendidas:most sold|mas populares:most popular|mas frecuentes:most frequent|mas visitados,mas visitadas:most visited|mas usados,mas usadas,mas utilizados,mas utilizadas:most used|mas reservados,mas reservadas:most booked|
frente a,contra:versus|mejores,mejor,principales:best|peores:worst|distintos,diferentes,unicos:distinct|muestra,mostrar:show|pedidos:orders|anadir,agrega:add|cual,que:which|tiene:has`,
};

/** First parts of compound words that stand for an aggregation, such as `Gesamt` in `Gesamtumsatz`. */
const compounds: Readonly<Record<string, readonly (readonly [start: string, reads: string])[]>> = {
  de: [
    ['gesamt', 'total'],
    ['durchschnitts', 'average'],
    ['hochst', 'highest'],
    ['mindest', 'lowest'],
  ],
  nl: [['totaal', 'total']],
};

/** Last parts of compound words that stand for a rate or for growth, such as `percentage` in `slaagpercentage`. */
const compoundEnds = /(?<=.{4})(?:(?<rate>percentage|quote|rate|anteil)|wachstum|groei)$/u;

interface Tongue {
  readonly phrases: ReadonlyMap<string, readonly string[]>;
  readonly longest: number;
  readonly compounds: readonly (readonly [string, string])[];
}

const readTongues = (): ReadonlyMap<string, Tongue> =>
  new Map(
    languages.map((language) => {
      const phrases = new Map<string, readonly string[]>();
      for (const entry of lists[language].split('|')) {
        const [cues = '', reads = ''] = entry.trim().split(':');
        for (const cue of cues.split(',')) phrases.set(cue.trim(), reads.split(' '));
      }
      // Phrases are split as questions are, so that both have the same words.
      for (const { phrase, reads } of phrasesOf(language))
        phrases.set(
          wordsOf(phrase)
            .map(({ text }) => text)
            .join(' '),
          reads.split(' '),
        );
      const maxWords = Math.max(...[...phrases.keys()].map((cue) => cue.split(' ').length));
      return [language, { phrases, longest: maxWords, compounds: compounds[language] ?? [] }];
    }),
  );

const cache: { tongues?: ReadonlyMap<string, Tongue>; words?: ReadonlySet<string> } = {};
/**
 * Returns the cues of all languages. They are prepared on the first call, so that services without questions spend no
 * time on it.
 */
const tongues = (): ReadonlyMap<string, Tongue> => (cache.tongues ??= readTongues());

/** Returns the words of all cues in all languages, and their translations. */
export const wordsOfCues = (): ReadonlySet<string> =>
  (cache.words ??= new Set(
    [...tongues().values()].flatMap(({ phrases }) =>
      [...phrases].flatMap(([cue, reads]) => [...cue.split(' '), ...reads]),
    ),
  ));

const english = new Set([
  ...stopWords,
  ...cueWords,
  ...'share percentage proportion rate'.split(' '),
  'average',
  'total',
  'number',
  'sum',
  'maximum',
  'minimum',
  'count',
  'chart',
  'month',
  'year',
  'top',
  'revenue',
  ...'day week month quarter year last this next past previous since until without exclude only compared vs'.split(' '),
]);

/** The words of a language that join others or exclude something, and so tell it from others. */
const grammarOf = (language: Language): ReadonlySet<string> =>
  new Set([
    ...functionWordsOf(language),
    ...excluding[language].split(',').flatMap((phrase) => folded(phrase).split(' ')),
  ]);
const grammars = new Map(languages.map((language) => [language, grammarOf(language)] as const));

/**
 * Detects the language of a question from its cues and the words of its grammar. Ignores words of column names. Where two
 * languages fit equally, one of `named`, the languages of the names of the dataset, is preferred, else English.
 */
export function languageOf(
  words: readonly Word[],
  columnWords: ReadonlySet<string>,
  named: readonly string[] = [],
): Language {
  const plainWords = words.filter(({ kind, text }) => kind === 'word' && !columnWords.has(text));
  const scoreOf = (language: Language): number => {
    const tongue = tongues().get(language);
    const isCue = (text: string): boolean =>
      tongue?.phrases.has(text) === true || (language === 'en' && english.has(text));
    const cues = plainWords.filter(({ text }) => isCue(text)).length;
    const joints = plainWords.filter(({ text }) => !isCue(text) && grammars.get(language)?.has(text) === true).length;
    // Words such as `je` join words in several languages, while cues say what is asked.
    const single = 1.1 * cues + joints;
    // English nouns are loanwords elsewhere: "score", "status".
    const isOwn = (text: string): boolean => language !== 'en' && !isCue(text) && ownLanguageOf(text) === language;
    const nouns = plainWords.filter(({ text }) => isOwn(text)).length;
    const phrased = pairs(plainWords).filter((pair) => tongue?.phrases.has(pair) === true).length;
    const compound = words.filter(({ text }) =>
      tongue?.compounds.some(([start]) => text.startsWith(start) && text.length > start.length + 2),
    ).length;
    return (
      single +
      phrased +
      compound +
      ofNouns * nouns +
      (named.includes(language) ? 0.4 : 0) +
      (language === 'en' ? 0.2 : 0)
    );
  };
  return languages.toSorted((left, right) => scoreOf(right) - scoreOf(left))[0] ?? 'en';
}

/** How much a noun that only one language has tells of the language of a question. */
const ofNouns = 0.7;

const pairs = (words: readonly Word[]): readonly string[] =>
  words.slice(1).map((word, at) => `${words[at]?.text ?? ''} ${word.text}`);

const placeOf = ({ at }: Word): Pick<Word, 'at'> => (at === undefined ? {} : { at });

const asWord = (text: string): Word => ({ kind: 'word', text, stem: stemOf(text), within: null });

/** Translates the cues in a question to English. Does not translate the words at which `isName` is true. */
export function inEnglish(
  words: readonly Word[],
  language: string,
  isName: (at: number) => boolean = () => false,
): readonly Word[] {
  const tongue = tongues().get(language);
  if (tongue === undefined) return words;
  const readWords: Word[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at];
    if (word === undefined) break;
    if (isName(at)) {
      readWords.push(word);
      at += 1;
      continue;
    }
    const step = phraseAt(words, at, tongue);
    if (step !== null && !words.slice(at, at + step.length).some((_, index) => isName(at + index))) {
      // What is quoted in a message is what was typed.
      const typed = words
        .slice(at, at + step.length)
        .map((one) => one.typed ?? one.text)
        .join(' ');
      readWords.push(
        ...step.reads.map((text, index) => ({ ...asWord(text), ...placeOf(word), typed: index === 0 ? typed : '' })),
      );
      at += step.length;
      continue;
    }
    const compound = tongue.compounds.find(
      ([start]) => word.text.startsWith(start) && word.text.length > start.length + 2,
    );
    const ended = compoundEnds.exec(word.text);
    if (ended !== null)
      readWords.push(
        { ...asWord(word.text.slice(0, ended.index)), ...placeOf(word), typed: word.typed ?? word.text },
        { ...asWord(ended.groups?.['rate'] === undefined ? 'growth' : 'rate'), ...placeOf(word), typed: '' },
      );
    else if (compound !== undefined)
      readWords.push(
        ...[compound[1], word.text.slice(compound[0].length)].map((text) => ({ ...asWord(text), ...placeOf(word) })),
      );
    else readWords.push(word);
    at += 1;
  }
  return readWords;
}

function phraseAt(
  words: readonly Word[],
  at: number,
  tongue: Tongue,
): { reads: readonly string[]; length: number } | null {
  for (let length = Math.min(tongue.longest, words.length - at); length > 0; length -= 1) {
    const phrase = words
      .slice(at, at + length)
      .map(({ kind, text }) => (kind === 'word' ? text : '?'))
      .join(' ');
    const reads = tongue.phrases.get(phrase);
    if (reads !== undefined) return { reads, length };
  }
  return null;
}
