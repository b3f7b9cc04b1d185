import { authorText } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/http/callers/caller.ts'

/**
 * The author of a clinical text. Id, name and registration at the time are stored with the text.
 */
export interface AuthorAccount {
  idUsuario: number
  nomeUsuario: string
}

/** The author and the time of a write. */
export interface Writing {
  author: AuthorAccount
  now: Date
}

/** SQL: the author's professional registration ('CRM 12345/PR') for a new row; null without one. */
export const councilRegistrationOf = ({ idUsuario }: AuthorAccount): RawBuilder<string | null> =>
  sql`(select registro_profissional from usuario where id_usuario = ${idUsuario})`

/** Returns who made a PDF: 'Ana Lima · usuário 12'. The PDF names the authors with their registrations. */
export const readerText = ({
  idUsuario,
  nomeUsuario: nome,
}: Pick<Caller, 'idUsuario' | 'nomeUsuario'>): string => authorText({ nome, idUsuario, registro: null })
