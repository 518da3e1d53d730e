/** The version of the API. It is the first part of all paths of the API. */
export const apiVersion = '0.1.0';
