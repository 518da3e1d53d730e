/** A noun with its indefinite article: `an account`, `a user`. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|umb)/iu.test(noun) ? 'an' : 'a'} ${noun}`;
