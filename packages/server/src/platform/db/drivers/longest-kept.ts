/**
 * Length in characters of the longest statement that is kept prepared. Its plan takes hundreds of
 * times that memory for the life of the connection, and longer texts rarely repeat.
 */
export const LONGEST_PREPARED_STATEMENT = 8_192
