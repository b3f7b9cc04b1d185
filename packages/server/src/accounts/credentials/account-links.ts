import { randomBytes } from 'node:crypto'
import { userEntity } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { type LinkKind, linkPaths } from '../../platform/http/pages/link-paths.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { HAND_OVER_MS } from '../../platform/mail/link-life.ts'

/** Links that set a password. */
export const passwordLinks = ['recuperacao', 'convite'] as const
/** Links that confirm an e-mail and do nothing else. */
export const confirmationLinks = ['confirmacao'] as const
/** Links that remove a second factor that the owner of the mailbox did not set up. */
export const removalLinks = ['segundo_fator'] as const
export const allLinks = [...passwordLinks, ...confirmationLinks, ...removalLinks] as const

/** @returns the address that an e-mail carries */
export const linkAddress = (
  { publicUrl }: Pick<Services['config'], 'publicUrl'>,
  tipo: LinkKind,
  token: string,
): string => `${publicUrl}${linkPaths[tipo]}?token=${token}`

/** How long each kind of link lasts, in milliseconds; a recovery from its hand-over to the mail server. */
export const linkLifetime: Record<LinkKind, number> = {
  recuperacao: 10 * 60_000,
  convite: 7 * 24 * 3_600_000,
  confirmacao: 7 * 24 * 3_600_000,
  segundo_fator: 24 * 3_600_000,
}

/**
 * How many links of a kind are valid at once; using one voids them all. Anyone can request a
 * recovery, so a further request must not void the link that the owner is about to open.
 */
export const linksAtOnce: Record<LinkKind, number> = {
  recuperacao: 5,
  convite: 1,
  confirmacao: 1,
  // More than the second factors that can be set up in a day, so that a stranger cannot void the
  // owner's link.
  segundo_fator: 5000,
}

/** Returns the digest under which a link is stored. */
export const markOfAccountLink = ({ digest }: Pick<Services['secrets'], 'digest'>, token: string): string =>
  digest(`link:${token}`)

/**
 * Creates a single-use link for a user and voids older ones beyond `linksAtOnce`. Without a user
 * the same statements run without effect, so that the response time reveals nothing.
 * @returns the token, 256 random bits, of which only a digest is stored
 */
export const createLink = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { idUsuario = NO_USER, tipo }: { idUsuario: number | undefined; tipo: LinkKind },
): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const criadoEm = now()
  const lifetime = tipo === 'recuperacao' ? HAND_OVER_MS : linkLifetime[tipo]
  const expiraEm = new Date(criadoEm.getTime() + lifetime)
  const marca = markOfAccountLink(secrets, token)
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

/** Creates the first link of each of these new users, in their order, in one statement. */
export const createFirstLinks = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  { idUsuarios, tipo }: { idUsuarios: number[]; tipo: LinkKind },
): Promise<string[]> => {
  const criadoEm = now()
  const expiraEm = new Date(criadoEm.getTime() + linkLifetime[tipo])
  const links = idUsuarios.map((idUsuario) => ({ idUsuario, token: randomBytes(32).toString('base64url') }))
  await tx
    .insertInto('linkConta')
    .values(
      links.map(({ idUsuario, token }) => ({
        idUsuario,
        tipo,
        criadoEm,
        expiraEm,
        marca: markOfAccountLink(secrets, token),
      })),
    )
    .execute()
  return links.map(({ token }) => token)
}

/** Voids every link of this person. */
export const voidLinks = async (tx: Db, idUsuario: number): Promise<void> => {
  await tx.deleteFrom('linkConta').where('idUsuario', '=', idUsuario).execute()
}

/* Neither a new e-mail nor a new password voids the link that removes a second factor: a
   stranger who sets up a second factor could otherwise void the link in the owner's mailbox. */

/** Voids the links in the earlier mailbox of this person, because the e-mail has changed. */
export const voidMailboxLinks = (tx: Db, idUsuario: number): Promise<void> =>
  voidLinksOf(tx, idUsuario, [...passwordLinks, ...confirmationLinks])

/** Voids the links that set a password, because the password has changed. */
export const voidPasswordLinks = (tx: Db, idUsuario: number): Promise<void> =>
  voidLinksOf(tx, idUsuario, passwordLinks)

/** Voids the links that confirm the e-mail, because something else has proven it. */
export const voidConfirmationLinks = (tx: Db, idUsuario: number): Promise<void> =>
  voidLinksOf(tx, idUsuario, confirmationLinks)

const voidLinksOf = async (tx: Db, idUsuario: number, kinds: readonly LinkKind[]): Promise<void> => {
  await tx.deleteFrom('linkConta').where('idUsuario', '=', idUsuario).where('tipo', 'in', kinds).execute()
}

/** No user has this id: ids start at 1. */
export const NO_USER = 0

/** Includes the digest without HMAC, so that links sent before the update stay valid. */
const marksOf = (secrets: Services['secrets'], token: string): string[] => [
  markOfAccountLink(secrets, token),
  markOfAccountLink({ digest: secrets.earlierDigest }, token),
]

/**
 * Returns the valid link behind the token, without consuming it.
 * @throws Problem `link_invalido` when there is none of these kinds
 */
export const findLink = async (
  db: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  token: string,
  kinds: readonly LinkKind[],
) => {
  const link = await db
    .selectFrom('linkConta')
    .innerJoin('usuario', 'usuario.idUsuario', 'linkConta.idUsuario')
    .select(['tipo', 'expiraEm', 'usuario.idUsuario', 'nomeUsuario', 'emailUsuario', 'senhaHash', 'situacao'])
    .select(
      sql<boolean>`exists (select from identidade_externa i where i.id_usuario = usuario.id_usuario)`.as(
        'temIdentidade',
      ),
    )
    .where('marca', 'in', marksOf(secrets, token))
    .where('tipo', 'in', kinds)
    .where('expiraEm', '>', now())
    .where((eb) =>
      eb.or([
        isActiveAccount(),
        eb.and([
          eb('situacao', '=', 'PENDENTE'),
          eb.or([
            eb('tipo', '=', 'confirmacao'),
            eb.and([eb('tipo', '=', 'recuperacao'), eb('emailPorProvar', '=', true)]),
          ]),
        ]),
      ]),
    )
    .executeTakeFirst()
  if (!link) throw new Problem('link_invalido')
  return link
}

/**
 * Consumes a link of these kinds and locks its user's row. Of two concurrent calls with the same
 * token, one gets it.
 * @throws Problem `link_invalido` when the link is not valid any more
 */
export const consumeLink = async <K extends LinkKind>(
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  token: string,
  kinds: readonly K[],
): Promise<{ idUsuario: number; tipo: K }> => {
  const link = await tx
    .deleteFrom('linkConta')
    .where('marca', 'in', marksOf(secrets, token))
    .where('tipo', 'in', kinds)
    .where('expiraEm', '>', now())
    .returning(['idUsuario', 'tipo'])
    .executeTakeFirst()
  if (!link) throw new Problem('link_invalido')
  await lockRow(tx, userEntity, link.idUsuario)
  return { idUsuario: link.idUsuario, tipo: link.tipo as K }
}
