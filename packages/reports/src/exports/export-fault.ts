/** Why an export failed; the message is for the caller. */
export class ExportFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
