/** A fault in the SQL of a definition, as a Portuguese sentence without its place. */
export class DefinitionError extends Error {}
