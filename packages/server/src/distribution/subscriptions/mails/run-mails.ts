import { sql } from 'kysely'
import type { Secrets } from '../../../platform/config/secrets.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { isActiveAccount } from '../../../platform/db/queries/expiry.ts'
import { personSees, selectExportableReports } from '../../../reports/index.ts'
import {
  accountSkipReason,
  type DeliveryAccess,
  deliveryScope,
  emailSkipReason,
  recipientColumns,
} from '../../deliveries/recipient.ts'
import { mayLeave, type RecipientRules, type SendingRules } from '../../deliveries/sending-rules.ts'
import { recipientsOf } from '../recipients/recipients.ts'
import { CHANGED, LEFT, NO_RECIPIENT, ownerNoAdmin, ownerSkipReason, PAUSED } from './skip-reasons.ts'

/** Selects the subscriptions behind runs, with what decides whether they may be sent at all. */
export const selectRuns = (db: Db) =>
  selectExportableReports(db)
    .innerJoin('assinatura', 'assinatura.idRelatorio', 'relatorio.idRelatorio')
    .innerJoin('assinaturaExecucao', 'assinaturaExecucao.idAssinatura', 'assinatura.idAssinatura')
    .innerJoin('usuario as dono', 'dono.idUsuario', 'assinatura.idDono')
    .select([
      'assinatura.idAssinatura',
      'assunto',
      'nota',
      'pagina',
      'tituloPagina',
      'visuais',
      'assinatura.filtros as escolha',
    ])
    .select(['marcador', 'assinatura.parametros as escolhidos', 'formato', 'entrega', 'pulaVazio'])
    .select(['pulaInalterado', 'ativa', 'assinatura.versao as versaoAssinatura'])
    .select([
      'assinaturaExecucao.idExecucao',
      'causa',
      'previstaEm',
      'dadosDe',
      'assinaturaExecucao.filtros as emPalavras',
    ])
    .select('nomeGrupo')
    .select(['assinaturaExecucao.repeticoes', 'dono.idUsuario as idDono', 'dono.nomeUsuario as nomeDono'])
    .select(['dono.tipoUsuario as tipoDono', isActiveAccount('dono').as('isOwnerActive')])
    .select(personSees('dono').as('ownerSees'))

export type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number]

/** Selects the e-mails of runs, with what decides whether each recipient may get theirs now. */
export const selectRunMails = (db: Db) =>
  selectRuns(db)
    .innerJoin('assinaturaEntrega', 'assinaturaEntrega.idExecucao', 'assinaturaExecucao.idExecucao')
    .innerJoin('usuario as pessoa', 'pessoa.idUsuario', 'assinaturaEntrega.idUsuario')
    .leftJoin('assinaturaArquivo', 'assinaturaArquivo.idArquivo', 'assinaturaEntrega.idArquivo')
    .leftJoin('senhaPdf', 'senhaPdf.idUsuario', 'pessoa.idUsuario')
    .select('senhaPdf.senha as senhaPdf')
    .select(recipientColumns('pessoa'))
    .select(['assinaturaEntrega.idArquivo', 'assinaturaEntrega.estado as estadoEntrega'])
    .select(['assinaturaEntrega.motivo', 'assinaturaArquivo.alcance', 'arquivo', 'chave', 'bytes'])
    .select(
      sql<boolean>`pessoa.id_usuario in (${recipientsOf(sql.ref<number>('assinatura.idAssinatura'))})`.as(
        'isRecipient',
      ),
    )
    .select(
      sql<boolean>`exists (select from assinatura_saida s where s.id_assinatura = assinatura.id_assinatura
        and s.id_usuario = pessoa.id_usuario)`.as('hasLeft'),
    )

export type RunMailRow = Awaited<ReturnType<ReturnType<typeof selectRunMails>['execute']>>[number]

/** Returns why a run may send no e-mail, in Portuguese; null when it may. */
export const runSkipReason = ({
  causa,
  isOwnerActive,
  ownerSees,
  nomeDono,
  ativa,
}: RunRow): string | null => {
  // A test goes to the person who asked for it.
  if (causa === 'TESTE') return null
  if (!ativa) return PAUSED
  return ownerSkipReason({ isOwnerActive, ownerSees, nomeDono })
}

const refused = (motivo: string): DeliveryAccess => ({ isAllowed: false, motivo })

/**
 * Returns whether the recipient may get the e-mail, by the same rules as if they opened the report now.
 * `alcance` is a keyed digest of what determines the rows: recipients with the same one share a
 * file.
 */
export const checkRecipient = (
  row: RunMailRow,
  rules: RecipientRules,
  secrets: Pick<Secrets, 'digest'>,
): DeliveryAccess => {
  const unsent = runSkipReason(row)
  if (unsent !== null) return refused(unsent)
  if (row.causa !== 'TESTE') {
    if (row.hasLeft) return refused(LEFT)
    if (!row.isRecipient) return refused(NO_RECIPIENT)
    // An ADMIN who became a USER subscribes only themselves.
    if (row.idUsuario !== row.idDono && row.tipoDono !== 'ADMIN') return refused(ownerNoAdmin(row.nomeDono))
  }
  const skipReason = (row.isActive ? emailSkipReason(row, rules) : null) ?? accountSkipReason(row, rules)
  if (skipReason !== null) return refused(skipReason)
  return { isAllowed: true, ...deliveryScope(row, secrets, 'assinatura', [row.versaoAssinatura]) }
}

/** Returns why the e-mail of a planned file may not leave, in Portuguese; null when it may. */
export const mailSkipReason = (
  { alcance }: Pick<RunMailRow, 'alcance'>,
  access: DeliveryAccess,
): string | null => {
  if (!access.isAllowed) return access.motivo
  return alcance === access.alcance ? null : CHANGED
}

/** Whether the e-mail may have the file itself. */
export const isAttached = (row: RunRow, rules: SendingRules): boolean =>
  row.entrega === 'ANEXO' && mayLeave(row, rules)
