/**
 * Where the bytes of attachments are kept, by generated names. What a store is given is sealed already (sealed-file.ts), so it
 * need not be trusted with what it holds. Every failure is a Problem `armazenamento_indisponivel`.
 */
export interface FileStore {
  /** The file is safe, through a crash of the machine too, when this resolves; of a failure nobody knows whether it is there. */
  put: (name: string, bytes: Buffer) => Promise<void>
  /** undefined where there is none of that name */
  get: (name: string) => Promise<Buffer | undefined>
  /** Also good where there is none of that name. */
  delete: (name: string) => Promise<void>
  /** Resolves where the store can be reached and used. */
  check: () => Promise<void>
}
