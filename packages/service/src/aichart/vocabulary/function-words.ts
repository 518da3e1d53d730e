const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/**
 * By language: words that join the parts of a question without being one, in lower case and without accents. Words that
 * exclude something, such as "without", are none: a question that loses them means the opposite.
 */
const functionWords: Readonly<Record<string, ReadonlySet<string>>> = {
  en: set(
    'sell sells ' +
      'am been being did does doing had having he her here him his if itself might must off once own same she should still such ' +
      'upon very was were while will within yes looks look looking like compared current data overall total please kindly thanks ' +
      'see seen saw sold made makes making gets got getting bring brings brought comes come came goes went take takes took taken ' +
      'occur occurs occurred made done used using need needs know tell us how what there anything everything something overview ' +
      'instead rather report insight insights analysis analyse analyze breakdown dashboard view',
  ),
  nl: set(
    'verkocht verkopen verkoopt duurt duren duurde duurden ' +
      'aan af al alle allemaal als bij ben bent bestaan bestaat dan dat de deze die dit doen doet door dus een eens en er ga gaan gaat ' +
      'geef had hadden heb hebben hebt heeft het hier hoe hun ik in is ja je jullie kan kun kunnen kunt laat laten maar me men met mij ' +
      'mijn moet moeten naar nog nu of om onder ons onze ook op over per precies s te tot toon tussen u uit uw van vanuit veel via voor ' +
      'waar waarin wanneer waren was wat we welk welke werd werden wie wij wil willen word worden wordt zal ze zich zie zien zijn zo zou ' +
      'liever sinds vanaf sedert tegenover hoeveel graag overzicht grafiek diagram gegevens komen komt kwam maken maakt gemaakt gebruikt',
  ),
  fr: set(
    'temps delai vend vendent vendons vendu dure durent prend prennent ' +
      'a ai au aux avec avez avons c ce ces cet cette chez combien comme comment d dans de des donne du elle elles en entre est et etait ' +
      'etaient ete etre eu fait faire font il ils j je l la le les leur leurs lui m ma mais me mes moi mon n nos notre nous on ont ou où ' +
      'plutot depuis jusqu face contre par pas peut peux plus pour qu quand que quel quelle quelles quels qui quoi s sa se ses si son sont sous sur ta te tes toi ton tous ' +
      'tout toute toutes tu un une veux voir vos votre vous y apercu graphique donnees affiche montre',
  ),
  de: set(
    'verkauft verkaufen dauert dauern dauerte gedauert ' +
      'ab aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bitte da damit dann das dass dem den der des die ' +
      'dies diese diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es gab geben gibt habe haben hat hatte ' +
      'hatten ich ihr ihre im in ins ist ja je jede jeder jedes kann konnen kommen kommt macht machen man mein meine mir mit nach noch nun ' +
      'lieber stattdessen seit gegenuber bzw ob oder pro schon sehen sich sie sind so uber um und uns unser unsere vom von vor wann war waren was wegen wenn wer werden wie wir ' +
      'wird wo wurde wurden zeig zeige zu zum zur zwischen am meisten ubersicht diagramm grafik daten',
  ),
  es: set(
    'tiempo plazo vende venden vendemos vendio dura duran tarda tardan ' +
      'vez frente respecto a al algo ante con cual cuales cuando cuanto cuantos cuanta cuantas como da dame de del desde donde durante e el ella ellas ellos en ' +
      'entre era eran es esa ese eso esta estan estas este esto estos fue fueron ha hace hacen hacer han hasta hay la las le les lo los mas ' +
      'me mi mis mostrar muestra nos nuestra nuestro o para pero por porque que quien quiero se ser si sobre son su sus tambien tanto te ' +
      'tiene tienen todo todos toda todas tu un una uno unos unas ver y ya yo grafico datos resumen',
  ),
};

/** Returns the words that join the parts of a question in a language. */
export const functionWordsOf = (language: string): ReadonlySet<string> => functionWords[language] ?? new Set();

/** True for a word that joins the parts of a question in a language; words of English are such words in each language. */
export const isFunctionWord = (text: string, language: string): boolean =>
  functionWords[language]?.has(text) === true || functionWords['en']?.has(text) === true;
