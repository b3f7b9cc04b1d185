/** A sentence that says why a file cannot be sent. */
export class UnusableFile extends Error {}
