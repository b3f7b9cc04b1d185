import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount, isCurrent } from '../../platform/db/queries/expiry.ts'
import { withoutAccountDenialReasons, withoutAccountTexts } from '../../reports/index.ts'

/**
 * Selects from guests with their reports, the rules of the installation and the ADMIN who answers for
 * each, without columns. The conditions of this module are for such a query.
 */
export const fromGuests = (db: Db) =>
  db
    .selectFrom('convidado')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'convidado.idRelatorio')
    .innerJoin('convidadoRegras', (join) => join.onTrue())
    .leftJoin('usuario', 'usuario.idUsuario', 'convidado.convidadoPor')

/** The reasons to refuse a guest. If several apply, the portal shows the first one. */
const denialReasons = {
  isRevoked: sql<boolean>`(convidado.revogado_em is not null)`,
  isOver: sql<boolean>`(not ${isCurrent('convidado.venceEm')})`,
  isSwitchedOff: sql<boolean>`(not convidado_regras.ligado)`,
  /** The user who saved the invitation last is no longer an active ADMIN. */
  hasNoAdmin: sql<boolean>`(not coalesce(${isActiveAccount()} and usuario.tipo_usuario = 'ADMIN', false))`,
  isOtherDomain: sql<boolean>`(cardinality(convidado_regras.dominios) > 0
    and not split_part(lower(convidado.email_convidado), '@', 2) = any(convidado_regras.dominios))`,
  ...withoutAccountDenialReasons,
  /** The report sends an identity, and the invitation does not have the part that differs. */
  lacksIdentity: sql<boolean>`(
    (cardinality(relatorio.papeis_rls) > 0 or relatorio.envia_identidade)
    and case when relatorio.usuario_identidade is null then convidado.usuario_identidade
      else convidado.identidade_rls end is null)`,
} satisfies Record<string, RawBuilder<boolean>>

type DenialReason = keyof typeof denialReasons

/** SQL: the name of the first reason that applies; null: the guest may visit. */
export const denialReasonOfGuest = sql<DenialReason | null>`(case ${sql.join(
  Object.entries(denialReasons).map(([name, applies]) => sql`when ${applies} then ${sql.lit(name)}`),
  sql` `,
)} end)`

/** SQL: whether the guest may visit now. Each call of a visit asks. */
export const mayVisit = sql<boolean>`(${denialReasonOfGuest} is null)`

/**
 * Selects the open visit of a guest who may visit now, without columns.
 * @param marca the digest of the visit's credential
 */
export const fromOpenVisit = (db: Db, marca: string, now: Date) =>
  fromGuests(db)
    .innerJoin('convidadoVisita', 'convidadoVisita.idConvidado', 'convidado.idConvidado')
    .where('convidadoVisita.marca', '=', marca)
    .where('convidadoVisita.expiraEm', '>', now)
    .where(mayVisit)

/** Reasons with which an invitation cannot be saved → the field that shows them. */
const fieldOf: Partial<Record<DenialReason, 'emailConvidado' | 'idRelatorio' | 'identity'>> = {
  isOtherDomain: 'emailConvidado',
  isSensitive: 'idRelatorio',
  isPaginated: 'idRelatorio',
  lacksIdentity: 'identity',
}

const texts: Record<DenialReason, string> = {
  isRevoked: 'O convite foi revogado.',
  isOver: 'O último dia passou.',
  isSwitchedOff: 'Os links de convidado estão desligados.',
  hasNoAdmin: 'Quem convidou não tem mais acesso de administrador. Salve o convite para responder por ele.',
  isOtherDomain: 'O domínio deste e-mail não está entre os permitidos para convidados.',
  ...withoutAccountTexts('não são mostrados a convidados'),
  lacksIdentity: 'O relatório restringe as linhas por pessoa. Informe a identidade deste convidado.',
}

/** Returns the reason in Portuguese; null without one. */
export const denialReasonText = (reason: DenialReason | null): string | null => reason && texts[reason]

/**
 * Returns the fields that keep an invitation from being saved, with their messages.
 * @param fixedUser whether the report sends a fixed user, so that guests differ by `identidadeRls` only
 */
export const refusedFields = (
  reason: DenialReason | null,
  { fixedUser }: { fixedUser: boolean },
): Record<string, string> => {
  const field = reason && fieldOf[reason]
  if (!field) return {}
  const name = field === 'identity' ? (fixedUser ? 'identidadeRls' : 'usuarioIdentidade') : field
  return { [name]: texts[reason] }
}
