/**
 * The encryption context of a value: its column and its row. A value is encrypted with its context,
 * so that a writer to the database cannot move it to another row, person or column: it does not
 * decrypt there. Earlier versions keep the context of their time. A key rotation rebuilds the
 * context in operations/keys/encrypted-columns.ts.
 */
export type EncryptionContext = string & { readonly context: unique symbol }

export const encryptionContext = (
  column: string,
  identity: readonly (number | string | null)[],
): EncryptionContext => JSON.stringify([column, ...identity]) as EncryptionContext

interface Owned {
  id: number
  beneficiario: number | null
}

export const beneficiaryContext = ({ id, versao }: { id: number; versao: number }): EncryptionContext =>
  encryptionContext('beneficiario.dados', [id, versao])

export const contentContext = ({ id, beneficiario, versao }: Owned & { versao: number }): EncryptionContext =>
  encryptionContext('prontuario.conteudo', [id, beneficiario, versao])

export const recordReasonContext = ({ id, beneficiario }: Owned): EncryptionContext =>
  encryptionContext('prontuario.motivo', [id, beneficiario])

export const attachmentContext = ({ id, beneficiario }: Owned): EncryptionContext =>
  encryptionContext('anexo.dados', [id, beneficiario])

export const attachmentReasonContext = ({ id, beneficiario }: Owned): EncryptionContext =>
  encryptionContext('anexo.motivo', [id, beneficiario])

export const fileKeyContext = ({
  id,
  beneficiario,
  arquivo,
}: Owned & { arquivo: string | null }): EncryptionContext =>
  encryptionContext('anexo.chave_arquivo', [id, beneficiario, arquivo])

/** The context of the bytes in the file store. */
export const fileContext = ({ id }: { id: number }): EncryptionContext => encryptionContext('anexo', [id])

export const purposeContext = (idAcesso: number): EncryptionContext =>
  encryptionContext('acesso_saude.finalidade_texto', [idAcesso])

export const incidentContext = ({ id, versao }: { id: number; versao: number }): EncryptionContext =>
  encryptionContext('incidente.conteudo', [id, versao])
