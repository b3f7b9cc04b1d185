import { authorText } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'

/** Who writes. Number, name and professional registration at the time are kept with what they wrote. */
export interface Author {
  idUsuario: number
  nomeUsuario: string
}

/** The author's registration, 'CRM 12345/PR', for the row that is written; null where there is none. */
export const registrationOf = ({ idUsuario }: Author): RawBuilder<string | null> =>
  sql`(select registro_profissional from usuario where id_usuario = ${idUsuario})`

/** Who made a document, 'Ana Lima · usuário 12': what they read has the registrations of its authors. */
export const readerText = ({ idUsuario, nomeUsuario: nome }: Author): string =>
  authorText({ nome, idUsuario, registro: null })
