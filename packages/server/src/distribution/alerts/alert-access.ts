import { type EffectiveIdentity, effectiveIdentityOf, sendsIdentity } from '../../connections/index.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import {
  exportScope,
  hasIdentity,
  personSees,
  selectExportableReports,
  viewDenialReason,
} from '../../reports/index.ts'
import { isAllowedAddress, type RecipientRules } from '../deliveries/sending-rules.ts'

/** Selects alerts with what decides whether, and as whom, they may be evaluated now. */
export const selectAlerts = (db: Db) =>
  selectExportableReports(db)
    .innerJoin('alerta', 'alerta.idRelatorio', 'relatorio.idRelatorio')
    .innerJoin('usuario as dono', 'dono.idUsuario', 'alerta.idDono')
    .select(['alerta.idAlerta', 'nomeAlerta', 'origem', 'pagina', 'tituloPagina', 'visual', 'tituloVisual'])
    .select([
      'coluna',
      'rotuloColuna',
      'formato',
      'chaveLinha as linha',
      'formas',
      'alerta.filtros as escolha',
      'endereco',
    ])
    .select(['emPalavras', 'consulta', 'condicao', 'limite', 'percentual', 'frequencia', 'horario', 'fuso'])
    .select([
      'porEmail',
      'webhook',
      'ativo',
      'alerta.estado',
      'alerta.alcance',
      'alerta.valor',
      'valorEm',
      'referencia',
    ])
    .select(['alerta.falha', 'repeticoes', 'alerta.versao as versaoAlerta', 'nomeGrupo'])
    .select(['dono.idUsuario', 'dono.nomeUsuario', 'dono.emailUsuario', 'dono.identidadeRls'])
    .select(['dono.emailPorProvar', 'dono.tipoUsuario as tipo', 'dono.acessoProntuario'])
    .select(['dono.temSegundoFator', 'dono.trocarSenha', isActiveAccount('dono').as('isActive')])
    .select([hasIdentity('dono').as('temIdentidade'), personSees('dono').as('sees')])

export type AlertRow = Awaited<ReturnType<ReturnType<typeof selectAlerts>['execute']>>[number]

/** Whether an alert may be evaluated now, and for which rows, or why not, in Portuguese. */
export type AlertAccess =
  | { isAllowed: true; alcance: string; identity: EffectiveIdentity | undefined }
  | { isAllowed: false; motivo: string }

type Owner = Pick<
  AlertRow,
  | 'isActive'
  | 'sees'
  | 'tipo'
  | 'acessoProntuario'
  | 'temSegundoFator'
  | 'temIdentidade'
  | 'trocarSenha'
  | 'emailPorProvar'
  | 'papeisRls'
  | 'enviaIdentidade'
  | 'origem'
>

/** Returns why the owner may not see the value now, in Portuguese; null when they may. */
export const ownerSkipReason = (owner: Owner, rules: RecipientRules): string | null => {
  if (!owner.isActive) return 'A conta de quem criou o alerta não está ativa.'
  const unseen = viewDenialReason(owner, rules)
  if (unseen !== null) return `Quem criou o alerta: ${unseen.charAt(0).toLowerCase()}${unseen.slice(1)}`
  if (owner.origem === 'DAX' && owner.tipo !== 'ADMIN')
    return 'Quem criou o alerta não é mais administrador: só administradores usam consultas DAX.'
  return isUnproven(owner) ? 'O e-mail de quem criou o alerta não foi confirmado.' : null
}

/**
 * Returns as whom the value is read, and a keyed digest of all that determines it.
 * @throws Problem 403 as `effectiveIdentityOf`
 */
export const scopeOf = (row: AlertRow, { digest }: Pick<Secrets, 'digest'>) => {
  const identity = effectiveIdentityOf(row, { ...row, emailComprovado: !row.emailPorProvar })
  const { origem, pagina, visual, coluna, linha, escolha, consulta } = row
  const what = [origem, pagina, visual, coluna, linha, escolha, consulta]
  const alcance = digest(`alerta:${JSON.stringify([exportScope(row, identity), ...what])}`)
  return { identity, alcance }
}

/** Returns what determines the values that the owner may see now; undefined when they may see none. */
export const shownScope = (row: AlertRow, secrets: Pick<Secrets, 'digest'>): string | undefined =>
  row.sees && !isUnproven(row) ? scopeOf(row, secrets).alcance : undefined

/** Returns the `shownScope` of each of these alerts, by id. Deleted alerts are left out. */
export const listShownScopes = async (
  db: Db,
  secrets: Pick<Secrets, 'digest'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | undefined>> => {
  if (ids.length === 0) return new Map()
  const alerts = selectAlerts(db).where((eb) => eb('alerta.idAlerta', '=', eb.fn.any(eb.val([...ids]))))
  return new Map((await alerts.execute()).map((row) => [row.idAlerta, shownScope(row, secrets)]))
}

/** The report shows rows by an e-mail that could be another person's. */
const isUnproven = (owner: Owner): boolean => owner.emailPorProvar && sendsIdentity(owner)

/** Returns whether the owner may see the value now, by the data of the row, and what determines it. */
export const checkAlertAccess = (
  row: AlertRow,
  rules: RecipientRules,
  secrets: Pick<Secrets, 'digest'>,
): AlertAccess => {
  const motivo = row.ativo ? ownerSkipReason(row, rules) : 'O alerta foi pausado.'
  return motivo === null ? { isAllowed: true, ...scopeOf(row, secrets) } : { isAllowed: false, motivo }
}

/** Returns why the owner gets no e-mail, in Portuguese; null when they do. */
export const emailSkipReason = (
  { emailPorProvar, emailUsuario }: Pick<AlertRow, 'emailPorProvar' | 'emailUsuario'>,
  rules: Pick<RecipientRules, 'dominios'>,
): string | null => {
  if (emailPorProvar) return 'O e-mail não foi confirmado.'
  return isAllowedAddress(rules, emailUsuario) ? null : 'O e-mail não é de um domínio permitido.'
}
