import { inflected } from '../../../vocabulary/phrases.ts';
import type { Language } from '../../../vocabulary/question-languages.ts';

/** Words for growth and for periods in a language, from which phrases such as "annual growth" are made. */
interface GrowthWords {
  readonly nouns: string;
  /** Adjectives by datetime level. */
  readonly adjectives: readonly string[];
  /** First parts of compounds such as `Jahreswachstum`, by datetime level. */
  readonly starts: readonly string[];
  /** True if the adjective follows the noun. */
  readonly isAfter: boolean;
}

const growthWords: Readonly<Record<Language, GrowthWords>> = {
  en: {
    nouns: 'growth,growth rate,increase,decrease,change,rise,decline',
    adjectives: ['annual,yearly', 'quarterly', 'monthly', 'weekly', 'daily'],
    starts: [],
    isAfter: false,
  },
  nl: {
    nouns: 'groei,stijging,daling,toename,afname,verandering',
    adjectives: [
      'jaarlijks,jaarlijkse',
      'driemaandelijks,driemaandelijkse',
      'maandelijks,maandelijkse',
      'wekelijks,wekelijkse',
      'dagelijks,dagelijkse',
    ],
    starts: ['jaar', 'kwartaal', 'maand', 'week', 'dag'],
    isAfter: false,
  },
  fr: {
    nouns: 'croissance,hausse,baisse,augmentation,diminution,progression,variation,taux de croissance',
    adjectives: [
      'annuel,annuelle',
      'trimestriel,trimestrielle',
      'mensuel,mensuelle',
      'hebdomadaire',
      'quotidien,quotidienne,journalier,journalière',
    ],
    starts: [],
    isAfter: true,
  },
  de: {
    nouns: 'wachstum,anstieg,zuwachs,rückgang,steigerung,zunahme,abnahme,veränderung,wachstumsrate',
    adjectives: ['jährlich', 'vierteljährlich,quartalsweis', 'monatlich', 'wöchentlich', 'täglich'],
    starts: ['jahres', 'quartals', 'monats', 'wochen', 'tages'],
    isAfter: false,
  },
  es: {
    nouns: 'crecimiento,aumento,incremento,descenso,disminución,variación,caída,tasa de crecimiento',
    adjectives: ['anual,interanual', 'trimestral', 'mensual', 'semanal', 'diario,diaria'],
    starts: [],
    isAfter: true,
  },
};

/** Returns the phrases of a language that ask for growth over the previous period, by datetime level. */
export function growthPhrases(language: Language): readonly string[] {
  const { nouns, adjectives, starts, isAfter } = growthWords[language];
  const growths = nouns.split(',');
  return adjectives.map((forms, at) => {
    const phrases = inflected(forms, language)
      .split(',')
      .flatMap((form) => growths.map((noun) => (isAfter ? `${noun} ${form}` : `${form} ${noun}`)));
    const start = starts[at];
    return [...phrases, ...(start === undefined ? [] : growths.map((noun) => `${start}${noun}`))].join(',');
  });
}
