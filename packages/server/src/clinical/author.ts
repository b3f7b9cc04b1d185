import { type RawBuilder, sql } from 'kysely'

/** Who writes. Number, name and professional registration at the time are kept with what they wrote. */
export interface Author {
  idUsuario: number
  nomeUsuario: string
}

/** The author's registration, 'CRM 12345/PR', for the row that is written; null where there is none. */
export const registrationOf = ({ idUsuario }: Author): RawBuilder<string | null> =>
  sql`(select registro_profissional from usuario where id_usuario = ${idUsuario})`
