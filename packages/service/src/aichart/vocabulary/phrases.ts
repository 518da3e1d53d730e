import type { Language } from './question-languages.ts';

/** For each language, phrases with commas between them. */
type ByLanguage = Readonly<Partial<Record<Language, string>>>;

/** Questions for an amount, by the English one that `tables/pointers.ts` knows. "Wie hoch" and "hoe hoog" ask for any amount. */
const amountQuestions: Readonly<Record<string, ByLanguage>> = {
  'how long': {
    nl: 'hoe lang,hoelang',
    fr: 'combien de temps,quelle durée,pendant combien de temps,en combien de temps',
    de: 'wie lange,wie lang',
    es: 'cuánto tiempo,cuánto dura,cuánto duran,cuánto duró,cuánto duraron,cuánto tarda,cuánto tardan,cuánto tardó',
  },
  'how old': {
    nl: 'hoe oud',
    fr: 'quel âge,de quel âge,quels âges',
    de: 'wie alt',
    es: 'qué edad,cuántos años tiene,cuántos años tienen',
  },
  'how far': {
    nl: 'hoe ver',
    fr: 'à quelle distance,combien de kilomètres,combien de km',
    de: 'wie weit,wie viele kilometer,wie viele km',
    es: 'a qué distancia,qué tan lejos,cuántos kilómetros,cuántos km',
  },
  'how much': {
    nl: 'hoeveel kost,hoeveel kosten,wat kost,wat kosten,hoe duur',
    fr: 'combien coûte,combien coûtent,combien a coûté,combien ont coûté',
    de: 'wie viel kostet,wie viel kosten,wieviel kostet,wieviel kosten,was kostet,was kosten,wie teuer',
    es: 'cuánto cuesta,cuánto cuestan,cuánto costó,cuánto costaron,cuánto vale,qué tan caro',
  },
  'how heavy': {
    nl: 'hoe zwaar',
    fr: 'quel poids,combien pèse,combien pèsent',
    de: 'wie schwer',
    es: 'cuánto pesa,cuánto pesan',
  },
  'how tall': { fr: 'quelle taille,quelle hauteur', es: 'cuánto mide,cuánto miden,qué altura' },
  'how warm': {
    nl: 'hoe warm,hoe koud',
    fr: 'quelle température',
    de: 'wie warm,wie kalt,wie heiß',
    es: 'qué temperatura',
  },
  'how fast': {
    nl: 'hoe snel,hoe vlug',
    fr: 'à quelle vitesse,avec quelle rapidité',
    de: 'wie schnell',
    es: 'qué tan rápido,a qué velocidad,con qué rapidez',
  },
  'how many': {
    en: 'how often,how frequently,how many times',
    nl: 'hoe vaak,hoe dikwijls,hoeveel keer',
    fr: 'combien de fois,à quelle fréquence',
    de: 'wie oft,wie häufig',
    es: 'cuántas veces,con qué frecuencia',
  },
};

/** Parts of times that return, with all inflections. */
const partsOfTime: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  weekday: {
    en: 'weekday,weekdays,day of week,day of the week,days of the week',
    nl: 'weekdag,weekdagen,dag van de week,dagen van de week,dag in de week,dagen in de week',
    fr: 'jour de la semaine,jours de la semaine,jour de semaine,jours de semaine',
    de: 'wochentag,wochentage,wochentagen,tag der woche,tage der woche,tagen der woche',
    es: 'día de la semana,días de la semana,día de semana,días de semana',
  },
  'hour of day': {
    en: 'hour of day,hour of the day,hours of the day,time of day,time of the day,times of day,times of the day',
    nl: 'uur van de dag,uren van de dag,tijdstip,tijdstippen,tijdstip van de dag,tijdstippen van de dag,moment van de dag',
    fr: 'heure de la journée,heures de la journée,heure du jour,heures du jour,moment de la journée,moments de la journée',
    de: 'uhrzeit,uhrzeiten,tageszeit,tageszeiten,stunde des tages,stunden des tages,tagesstunde,tagesstunden',
    es: 'hora del día,horas del día,momento del día,momentos del día',
  },
  'day of month': {
    en: 'day of month,day of the month,days of the month',
    nl: 'dag van de maand,dagen van de maand,dag in de maand,dagen in de maand',
    fr: 'jour du mois,jours du mois',
    de: 'tag des monats,tage des monats,tagen des monats,tag im monat,tage im monat,tagen im monat,monatstag,monatstage,monatstagen',
    es: 'día del mes,días del mes',
  },
  'month of year': {
    en: 'month of year,month of the year,months of the year,calendar month,calendar months',
    nl: 'maand van het jaar,maanden van het jaar,maand in het jaar,maanden in het jaar,kalendermaand,kalendermaanden',
    fr: "mois de l'année,mois civil,mois civils",
    de: 'monat des jahres,monate des jahres,monaten des jahres,monat im jahr,monate im jahr,monaten im jahr,kalendermonat,kalendermonate,kalendermonaten',
    es: 'mes del año,meses del año',
  },
  'quarter of year': {
    en: 'quarter of year,quarter of the year,quarters of the year,calendar quarter,calendar quarters',
    nl: 'kwartaal van het jaar,kwartalen van het jaar,kwartaal in het jaar',
    fr: "trimestre de l'année,trimestres de l'année",
    de: 'quartal des jahres,quartale des jahres,quartalen des jahres,quartal im jahr,quartale im jahr,quartalen im jahr',
    es: 'trimestre del año,trimestres del año',
  },
  week: {
    en: 'week of year,week of the year,weeks of the year,week number,calendar week,calendar weeks',
    nl: 'week van het jaar,weken van het jaar,weeknummer,weeknummers,kalenderweek,kalenderweken',
    fr: "semaine de l'année,semaines de l'année,numéro de semaine,numéros de semaine",
    de: 'woche des jahres,wochen des jahres,kalenderwoche,kalenderwochen',
    es: 'semana del año,semanas del año,número de semana',
  },
};

/** Periods with all inflections, which mean a group after a word such as "which". */
const periods: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  year: { en: 'year,years', nl: 'jaar,jaren', fr: 'an,ans,année,années', de: 'jahr,jahre,jahren', es: 'año,años' },
  quarter: {
    en: 'quarter,quarters',
    nl: 'kwartaal,kwartalen',
    fr: 'trimestre,trimestres',
    de: 'quartal,quartale,quartalen',
    es: 'trimestre,trimestres',
  },
  month: { en: 'month,months', nl: 'maand,maanden', fr: 'mois', de: 'monat,monate,monaten', es: 'mes,meses' },
  week: { en: 'week,weeks', nl: 'week,weken', fr: 'semaine,semaines', de: 'woche,wochen', es: 'semana,semanas' },
  day: { en: 'day,days', nl: 'dag,dagen', fr: 'jour,jours', de: 'tag,tage,tagen', es: 'día,días' },
  hour: { en: 'hour,hours', nl: 'uur,uren', fr: 'heure,heures', de: 'stunde,stunden', es: 'hora,horas' },
};

const whichWords: Readonly<Record<Language, string>> = {
  en: 'what',
  nl: 'welk,welke',
  fr: 'quel,quelle,quels,quelles',
  de: 'welche,welchem,welchen,welcher,welches',
  es: 'qué,cuál,cuáles',
};

/** Questions for the time of day. */
const clockQuestions: ByLanguage = {
  en: 'what time,what times',
  nl: 'hoe laat',
  de: 'wie spät,wie viel uhr,wieviel uhr',
};

/** Adjectives and adverbs of periods. German ones have the endings of `germanEnds`. */
const adverbs: Readonly<Record<string, ByLanguage>> = {
  yearly: { nl: 'jaarlijks,jaarlijkse', fr: 'annuel,annuelle,annuels,annuelles', de: 'jährlich', es: 'anual,anuales' },
  quarterly: {
    nl: 'driemaandelijks,driemaandelijkse',
    fr: 'trimestriel,trimestrielle,trimestriels,trimestrielles',
    de: 'vierteljährlich,quartalsweis',
    es: 'trimestral,trimestrales',
  },
  monthly: {
    nl: 'maandelijks,maandelijkse',
    fr: 'mensuel,mensuelle,mensuels,mensuelles',
    de: 'monatlich',
    es: 'mensual,mensuales',
  },
  weekly: { nl: 'wekelijks,wekelijkse', fr: 'hebdomadaire,hebdomadaires', de: 'wöchentlich', es: 'semanal,semanales' },
  daily: {
    nl: 'dagelijks,dagelijkse',
    fr: 'quotidien,quotidienne,quotidiens,quotidiennes,journalier,journalière,journaliers,journalières',
    de: 'täglich',
    es: 'diario,diaria,diarios,diarias',
  },
};
const germanEnds = ['', 'e', 'en', 'er', 'es', 'em'];

/** A phrase of a language, and what it reads in English. */
export interface Phrase {
  readonly phrase: string;
  readonly reads: string;
}

const phrasesIn = (list: string | undefined, reads: string): readonly Phrase[] =>
  list === undefined || list === '' ? [] : list.split(',').map((phrase) => ({ phrase, reads }));

/** Returns adjectives with all endings that they have in a language, with commas between them. */
export function inflected(list: string, language: Language): string {
  if (language !== 'de') return list;
  const stems = list === '' ? [] : list.split(',');
  return stems.flatMap((stem) => germanEnds.map((end) => `${stem}${end}`)).join(',');
}

/** Returns the phrases of a language that ask for an amount, or group by a time, as people write them. */
export function phrasesOf(language: Language): readonly Phrase[] {
  const isEnglish = language === 'en';
  const times = [...Object.entries(periods), ...Object.entries(partsOfTime)].flatMap(([reads, forms]) =>
    phrasesIn(forms[language], reads),
  );
  // English forms are left as they are: they may be names of columns.
  const asked = times.flatMap(({ phrase, reads }) =>
    whichWords[language]
      .split(',')
      .map((which) => ({ phrase: `${which} ${phrase}`, reads: `which ${isEnglish ? phrase : reads}` })),
  );
  // Hours are an amount more often than a group.
  const groups = isEnglish ? [] : times.filter(({ reads }) => reads !== 'hour');
  return [
    ...Object.entries(amountQuestions).flatMap(([reads, forms]) => phrasesIn(forms[language], reads)),
    ...Object.entries(adverbs).flatMap(([reads, forms]) =>
      phrasesIn(inflected(forms[language] ?? '', language), reads),
    ),
    ...groups,
    ...asked,
    ...phrasesIn(clockQuestions[language], 'which hour of day'),
  ];
}
