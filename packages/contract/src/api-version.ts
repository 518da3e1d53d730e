/** The version of the API: the first part of its paths. */
export const apiVersion = '0.1.0';
