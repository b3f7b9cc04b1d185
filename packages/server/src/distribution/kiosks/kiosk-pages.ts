import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { personSees, withoutAccountDenialReasons, withoutAccountTexts } from '../../reports/index.ts'

/**
 * Selects the pages of kiosks in their order, with what keeps a page from being shown. A screen may
 * show what the ADMIN who connected it may see; without a screen, nothing is hidden.
 */
export const selectKioskPages = (db: Db) =>
  db
    .selectFrom('telaoPagina')
    .innerJoin('telao', 'telao.idTelao', 'telaoPagina.idTelao')
    .leftJoin('relatorio', 'relatorio.idRelatorio', 'telaoPagina.idRelatorio')
    .leftJoin('telaoTela', 'telaoTela.idTelao', 'telao.idTelao')
    .leftJoin('usuario', 'usuario.idUsuario', 'telaoTela.conectadaPor')
    .select(['telaoPagina.idTelao', 'idTelaoPagina', 'telaoPagina.idRelatorio', 'pagina', 'tituloPagina'])
    .select(['segundos', 'nomeUsuario as conectadaPor'])
    .select(({ fn }) =>
      fn.coalesce('relatorio.nomeRelatorio', 'telaoPagina.nomeRelatorio').as('nomeRelatorio'),
    )
    .select([isSensitive.as('isSensitive'), isPaginated.as('isPaginated')])
    .select([lacksIdentity.as('lacksIdentity'), isHidden.as('isHidden')])
    .orderBy('telaoPagina.idTelao')
    .orderBy('posicao')

/** Selects only what may be shown now. */
export const selectShownPages = (db: Db) =>
  selectKioskPages(db)
    .where('telaoPagina.idRelatorio', 'is not', null)
    .where(sql<boolean>`not (${isSensitive} or ${isPaginated} or ${lacksIdentity} or ${isHidden})`)

const { isSensitive, isPaginated } = withoutAccountDenialReasons

/** The report sends an identity, and neither it nor the kiosk names the user. */
const lacksIdentity = sql<boolean>`coalesce(
  (cardinality(relatorio.papeis_rls) > 0 or relatorio.envia_identidade)
  and relatorio.usuario_identidade is null and telao.usuario_identidade is null, false)`

const isHidden = sql<boolean>`(usuario.id_usuario is not null and not (
  ${isActiveAccount()} and ${personSees()}))`

export type KioskPageRow = Awaited<ReturnType<ReturnType<typeof selectKioskPages>['execute']>>[number]

const texts = withoutAccountTexts('não passam em telões')

/** Returns why no screen may show the report; null when a screen may. */
export const refusalOf = ({ isSensitive, isPaginated }: KioskPageRow): string | null => {
  if (isSensitive) return texts.isSensitive
  return isPaginated ? texts.isPaginated : null
}

/** Whether a kiosk with this page cannot be saved. What its connector may see can change later. */
export const isRefused = (page: KioskPageRow): boolean => refusalOf(page) !== null || page.lacksIdentity

/** Returns why a page is left out of the rotation, in Portuguese; null when it is shown. */
export const denialReasonOf = (page: KioskPageRow): string | null => {
  if (page.idRelatorio === null) return 'O relatório foi excluído.'
  const refusal = refusalOf(page)
  if (refusal !== null) return refusal
  if (page.lacksIdentity)
    return 'O relatório restringe as linhas por pessoa. Informe o “Usuário enviado” deste telão.'
  if (page.isHidden)
    return `${page.conectadaPor} conectou a tela e não pode mais ver este relatório. Conecte a tela de novo.`
  return null
}
