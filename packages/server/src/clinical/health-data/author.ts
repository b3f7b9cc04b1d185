import { authorText } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'

/**
 * The author of a clinical text. Id, name and registration at the time are stored with the text.
 */
export interface Author {
  idUsuario: number
  nomeUsuario: string
}

/** The author and the time of a write. */
export interface Writing {
  author: Author
  now: Date
}

/** SQL: the author's professional registration ('CRM 12345/PR') for a new row; null without one. */
export const registrationOf = ({ idUsuario }: Author): RawBuilder<string | null> =>
  sql`(select registro_profissional from usuario where id_usuario = ${idUsuario})`

/**
 * Returns who created a document: 'Ana Lima · usuário 12'. The document itself has its authors'
 * registrations.
 */
export const readerText = ({ idUsuario, nomeUsuario: nome }: Author): string =>
  authorText({ nome, idUsuario, registro: null })
