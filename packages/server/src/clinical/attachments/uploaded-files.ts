import type { Encrypted } from '../../platform/config/secrets.ts'
import { encryptFile } from '../../platform/files/encrypted-file.ts'
import { storePendingFile } from '../../platform/files/pending-files.ts'
import type { Services } from '../../platform/http/services.ts'
import { fileContext, fileKeyContext } from '../health-data/encryption-contexts.ts'

/** What an attachment's row stores about its file. */
interface UploadedFile {
  arquivo: string
  chaveArquivo: Encrypted
}

/**
 * Stores a file, which is pending until `keepPendingFile`.
 * @param of the attachment to be, with its id from the sequence
 */
export const storeUploadedFile = async (
  services: Pick<Services, 'db' | 'secrets' | 'files'>,
  bytes: Buffer,
  of: { id: number; beneficiario: number | null },
): Promise<UploadedFile> => {
  const { encrypted, key } = encryptFile(bytes, fileContext(of))
  const arquivo = await storePendingFile(services, encrypted)
  return { arquivo, chaveArquivo: services.secrets.encrypt(key, fileKeyContext({ ...of, arquivo })) }
}
