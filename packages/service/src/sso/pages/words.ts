import type { Cause } from '../fault.ts';

const languages = ['en', 'nl', 'fr', 'de'] as const;
export type Language = (typeof languages)[number];

type Sentence = Readonly<Record<Language, string>>;

const setUp: Sentence = {
  en: 'Single sign-on of your organization is not set up right. Ask the person who looks after it.',
  nl: 'Eenmalig aanmelden is voor uw organisatie niet goed ingesteld. Vraag het aan wie het beheert.',
  fr: 'L’authentification unique de votre organisation est mal configurée. Adressez-vous à la personne qui s’en occupe.',
  de: 'Die einmalige Anmeldung Ihrer Organisation ist nicht richtig eingerichtet. Fragen Sie, wer sie betreut.',
};
const endedSignIn: Sentence = {
  en: 'This sign-in has ended or began in another window. Begin again where you wanted to sign in.',
  nl: 'Deze aanmelding is verlopen of begon in een ander venster. Begin opnieuw waar u zich wilde aanmelden.',
  fr: 'Cette connexion a expiré ou a commencé dans une autre fenêtre. Recommencez là où vous vouliez vous connecter.',
  de: 'Diese Anmeldung ist abgelaufen oder begann in einem anderen Fenster. Beginnen Sie neu, wo Sie sich anmelden wollten.',
};
const providerAway: Sentence = {
  en: 'The identity provider of your organization does not answer. Try again in a minute.',
  nl: 'De identiteitsprovider van uw organisatie antwoordt niet. Probeer het over een minuut opnieuw.',
  fr: 'Le fournisseur d’identité de votre organisation ne répond pas. Réessayez dans une minute.',
  de: 'Der Identitätsanbieter Ihrer Organisation antwortet nicht. Versuchen Sie es in einer Minute wieder.',
};
const unknownAddress: Sentence = {
  en: 'There is no single sign-on at this address.',
  nl: 'Op dit adres is er geen eenmalig aanmelden.',
  fr: 'Il n’y a pas d’authentification unique à cette adresse.',
  de: 'Unter dieser Adresse gibt es keine einmalige Anmeldung.',
};
const refusedSignIn: Sentence = {
  en: 'The identity provider did not sign you in.',
  nl: 'De identiteitsprovider heeft u niet aangemeld.',
  fr: 'Le fournisseur d’identité ne vous a pas connecté.',
  de: 'Der Identitätsanbieter hat Sie nicht angemeldet.',
};
const untrustedToken: Sentence = {
  en: 'What the identity provider said could not be believed, so nobody was signed in.',
  nl: 'Wat de identiteitsprovider zei, kon niet worden geloofd; niemand is aangemeld.',
  fr: 'La réponse du fournisseur d’identité n’est pas fiable ; personne n’a été connecté.',
  de: 'Der Antwort des Identitätsanbieters war nicht zu trauen; niemand wurde angemeldet.',
};

/** User-facing sentences by cause. Administrators also see the detail of the fault. */
export const sentences: Readonly<Record<Cause, Sentence>> = {
  organization_unknown: unknownAddress,
  not_set_up: unknownAddress,
  set_up_wrong: setUp,
  issuer_mismatch: setUp,
  secret_wrong: setUp,
  provider_wrong: setUp,
  cookie_missing: endedSignIn,
  already_used: endedSignIn,
  changed_meanwhile: endedSignIn,
  provider_down: providerAway,
  provider_slow: providerAway,
  refused_by_provider: refusedSignIn,
  code_refused: untrustedToken,
  token_refused: untrustedToken,
  clock: untrustedToken,
  return_refused: {
    en: 'The page that asked is not one that people may be signed in to.',
    nl: 'De pagina die dit vroeg, mag geen mensen aanmelden.',
    fr: 'La page qui l’a demandé ne peut pas connecter de personnes.',
    de: 'Bei der Seite, die gefragt hat, darf niemand angemeldet werden.',
  },
  person_incomplete: {
    en: 'The identity provider gave no verified e-mail address of yours.',
    nl: 'De identiteitsprovider gaf geen geverifieerd e-mailadres van u.',
    fr: 'Le fournisseur d’identité n’a pas donné d’adresse e-mail vérifiée.',
    de: 'Der Identitätsanbieter nannte keine bestätigte E-Mail-Adresse von Ihnen.',
  },
  email_taken: {
    en: 'Your e-mail address cannot be used here. Ask the person who looks after your organization.',
    nl: 'Uw e-mailadres kan hier niet worden gebruikt. Vraag het aan wie uw organisatie beheert.',
    fr: 'Votre adresse e-mail ne peut pas être utilisée ici. Adressez-vous à l’administrateur de votre organisation.',
    de: 'Ihre E-Mail-Adresse kann hier nicht verwendet werden. Fragen Sie, wer Ihre Organisation betreut.',
  },
  not_a_member: {
    en: 'You are not a member of this organization here. Ask one of its owners to add you.',
    nl: 'U bent hier geen lid van deze organisatie. Vraag een eigenaar om u toe te voegen.',
    fr: 'Vous n’êtes pas membre de cette organisation ici. Demandez à un propriétaire de vous ajouter.',
    de: 'Sie sind hier kein Mitglied dieser Organisation. Bitten Sie einen Eigentümer, Sie hinzuzufügen.',
  },
  password_wrong: {
    en: 'The password is wrong.',
    nl: 'Het wachtwoord is onjuist.',
    fr: 'Le mot de passe est incorrect.',
    de: 'Das Passwort ist falsch.',
  },
  busy: {
    en: 'There is too much to do at the moment. Try again in a minute.',
    nl: 'Het is op dit moment te druk. Probeer het over een minuut opnieuw.',
    fr: 'Il y a trop d’activité en ce moment. Réessayez dans une minute.',
    de: 'Im Augenblick ist zu viel zu tun. Versuchen Sie es in einer Minute wieder.',
  },
};

export const words = {
  notSignedIn: {
    en: 'You are not signed in',
    nl: 'U bent niet aangemeld',
    fr: 'Vous n’êtes pas connecté',
    de: 'Sie sind nicht angemeldet',
  },
  signedIn: { en: 'You are signed in', nl: 'U bent aangemeld', fr: 'Vous êtes connecté', de: 'Sie sind angemeldet' },
  signedOut: { en: 'You are signed out', nl: 'U bent afgemeld', fr: 'Vous êtes déconnecté', de: 'Sie sind abgemeldet' },
  close: {
    en: 'You can close this window.',
    nl: 'U kunt dit venster sluiten.',
    fr: 'Vous pouvez fermer cette fenêtre.',
    de: 'Sie können dieses Fenster schließen.',
  },
  back: { en: 'Back', nl: 'Terug', fr: 'Retour', de: 'Zurück' },
  prove: { en: 'Is this you?', nl: 'Bent u dit?', fr: 'Est-ce bien vous ?', de: 'Sind Sie das?' },
  proveWhy: {
    en: 'Somebody with your e-mail address is here already. Give the password you had here, this once, and both become one.',
    nl: 'Er is hier al iemand met uw e-mailadres. Geef eenmalig uw wachtwoord van hier, dan worden beide één.',
    fr: 'Quelqu’un avec votre adresse e-mail existe déjà. Donnez une seule fois votre mot de passe d’ici pour réunir les deux.',
    de: 'Es gibt hier schon jemanden mit Ihrer E-Mail-Adresse. Geben Sie einmal Ihr hiesiges Passwort an, dann wird beides eins.',
  },
  password: { en: 'Password', nl: 'Wachtwoord', fr: 'Mot de passe', de: 'Passwort' },
  proceed: { en: 'Continue', nl: 'Verder', fr: 'Continuer', de: 'Weiter' },
} as const satisfies Readonly<Record<string, Sentence>>;

/** Returns the first language of an Accept-Language header that is supported; English if none is. */
export function languageOf(header: string | undefined): Language {
  const preferredLanguages = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  return preferredLanguages.flatMap((word) => languages.find((language) => language === word) ?? [])[0] ?? 'en';
}
