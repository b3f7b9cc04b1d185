import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'

type Kind = 'recuperacao' | 'convite'

/** How long each kind of link lasts, in milliseconds. */
export const linkLifetime: Record<Kind, number> = {
  recuperacao: 10 * 60_000,
  convite: 7 * 24 * 3_600_000,
}

/**
 * How many of a kind are good side by side; using one voids them all. Anybody may ask for recovery, so that one more request
 * must not void the link that its owner is about to open.
 */
export const linksAtOnce: Record<Kind, number> = { recuperacao: 5, convite: 1 }

/**
 * Makes a single-use link for a person; of earlier ones of its kind only the newest stay good. For nobody (undefined) the same
 * is asked of the database, and nothing comes of it: how long it takes must not tell.
 * @returns its token, 256 random bits, which is kept nowhere
 */
export const createLink = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { idUsuario = NOBODY, tipo }: { idUsuario: number | undefined; tipo: Kind },
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const criadoEm = now()
  const expiraEm = new Date(criadoEm.getTime() + linkLifetime[tipo])
  const marca = secrets.digest(`link:${token}`)
  const earlier = tx
    .selectFrom('linkConta')
    .select('marca')
    .where('idUsuario', '=', idUsuario)
    .where('tipo', '=', tipo)
    .orderBy('criadoEm', 'desc')
    .offset(linksAtOnce[tipo] - 1)
  await tx.deleteFrom('linkConta').where('marca', 'in', earlier).execute()
  await sql`insert into link_conta (marca, id_usuario, tipo, criado_em, expira_em)
    select ${marca}::text, id_usuario, ${tipo}::text, ${criadoEm}::timestamptz, ${expiraEm}::timestamptz
    from usuario where id_usuario = ${idUsuario}`.execute(tx)
  return token
}

/** No link of this person is good any more: the password or the e-mail is another. */
export const voidLinks = async (tx: Db, idUsuario: number): Promise<void> => {
  await tx.deleteFrom('linkConta').where('idUsuario', '=', idUsuario).execute()
}

/** Ids begin at 1. */
const NOBODY = 0

/** The link behind a token while it is good, without using it up. */
export const findLink = (db: Db, { secrets, now }: Pick<Services, 'secrets' | 'now'>, token: string) =>
  db
    .selectFrom('linkConta')
    .innerJoin('usuario', 'usuario.idUsuario', 'linkConta.idUsuario')
    .select(['tipo', 'expiraEm', 'usuario.idUsuario', 'nomeUsuario', 'emailUsuario', 'senhaHash'])
    .where('marca', '=', secrets.digest(`link:${token}`))
    .where('expiraEm', '>', now())
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()

/** Uses the link up: of two that come with the same token, one gets it. Undefined when it is no good any more. */
export const useLink = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  token: string,
): Promise<{ idUsuario: number; tipo: Kind } | undefined> =>
  tx
    .deleteFrom('linkConta')
    .where('marca', '=', secrets.digest(`link:${token}`))
    .where('expiraEm', '>', now())
    .returning(['idUsuario', 'tipo'])
    .executeTakeFirst()
