/** Why an export failed, in words for whoever asked for it. */
export class ExportFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}
