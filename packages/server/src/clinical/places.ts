/**
 * Where a sealed value belongs: its column, and whose it is. A value is sealed with its place, so that whoever writes to the
 * database cannot move it to another row, person or column: it does not open there. An earlier version has the place that it
 * had while it stood. What a rotation reads of a row to say the same is in keys/sealed-columns.ts.
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

/** Of the bytes in the store. */
export const filePlace = ({ id }: { id: number }): Place => placeOf('anexo', [id])

export const purposePlace = (idAcesso: number): Place => placeOf('acesso_saude.finalidade_texto', [idAcesso])

export const incidentPlace = ({ id, versao }: { id: number; versao: number }): Place =>
  placeOf('incidente.conteudo', [id, versao])
