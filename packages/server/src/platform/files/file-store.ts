/**
 * Stores the bytes of attachments under generated names. The bytes are encrypted already
 * (encrypted-file.ts), so the store need not be trusted. Every failure is a Problem
 * `armazenamento_indisponivel`.
 */
export interface FileStore {
  /** Resolves when the file survives a crash. After a failure it may or may not exist. */
  put: (name: string, bytes: Buffer) => Promise<void>
  /** undefined when no file has the name */
  get: (name: string) => Promise<Buffer | undefined>
  /** Succeeds also when no file has the name. */
  delete: (name: string) => Promise<void>
  /** Resolves when the store can be used. */
  check: () => Promise<void>
}
