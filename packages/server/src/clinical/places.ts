/**
 * The encryption context of a value: its column and its row. A value is encrypted with its context,
 * so that a writer to the database cannot move it to another row, person or column: it does not
 * decrypt there. Earlier versions keep the context of their time. A key rotation rebuilds the
 * context in keys/sealed-columns.ts.
 */
export type Place = string & { readonly place: unique symbol }

export const placeOf = (column: string, identity: readonly (number | string | null)[]): Place =>
  JSON.stringify([column, ...identity]) as Place

interface Owned {
  id: number
  beneficiario: number | null
}

export const beneficiaryPlace = ({ id, versao }: { id: number; versao: number }): Place =>
  placeOf('beneficiario.dados', [id, versao])

export const contentPlace = ({ id, beneficiario, versao }: Owned & { versao: number }): Place =>
  placeOf('prontuario.conteudo', [id, beneficiario, versao])

export const recordReasonPlace = ({ id, beneficiario }: Owned): Place =>
  placeOf('prontuario.motivo', [id, beneficiario])

export const attachmentPlace = ({ id, beneficiario }: Owned): Place =>
  placeOf('anexo.dados', [id, beneficiario])

export const attachmentReasonPlace = ({ id, beneficiario }: Owned): Place =>
  placeOf('anexo.motivo', [id, beneficiario])

export const fileKeyPlace = ({ id, beneficiario, arquivo }: Owned & { arquivo: string | null }): Place =>
  placeOf('anexo.chave_arquivo', [id, beneficiario, arquivo])

/** The context of the bytes in the file store. */
export const filePlace = ({ id }: { id: number }): Place => placeOf('anexo', [id])

export const purposePlace = (idAcesso: number): Place => placeOf('acesso_saude.finalidade_texto', [idAcesso])

export const incidentPlace = ({ id, versao }: { id: number; versao: number }): Place =>
  placeOf('incidente.conteudo', [id, versao])
