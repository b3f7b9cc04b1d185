import { MAX_RECIPIENTS, type SubscriptionDraft, type SubscriptionFormat } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { type ExportableReport, exportParameters } from '../../reports/index.ts'
import { refuse } from '../deliveries/own-rows.ts'
import { attachmentDenialReason, readSendingRules } from '../deliveries/sending-rules.ts'
import { listRecipients } from './recipients/recipients.repository.ts'

interface Owner {
  idUsuario: number
  tipo: 'ADMIN' | 'USER'
}

/** Returns the formats in which the provider of a report writes it. */
export const formatsOf = ({
  tipoRelatorio,
  provedor,
}: Pick<ExportableReport, 'tipoRelatorio' | 'provedor'>): SubscriptionFormat[] => {
  if (tipoRelatorio === 'PAGINADO') return ['PDF', 'XLSX']
  return provedor === 'local' ? ['PDF', 'PNG', 'XLSX'] : ['PDF', 'PNG']
}

/**
 * Returns the draft as it is stored: with its recipients, and with the content of its saved view.
 * @throws Problem 422 at the field that does not fit the report or the owner
 */
export const completeDraft = async (
  tx: Db,
  draft: SubscriptionDraft,
  { owner, idRelatorio, report }: { owner: Owner; idRelatorio: number; report: ExportableReport },
): Promise<SubscriptionDraft> => {
  const isPaginated = report.tipoRelatorio === 'PAGINADO'
  if (isPaginated) {
    assertFitsPaginated(draft)
    // Refuses parameters that the reader may not choose.
    exportParameters(report, draft.parametros)
  }
  if (!isPaginated && !formatsOf(report).includes(draft.formato))
    refuse('formato', 'O Power BI não gera planilhas deste relatório: escolha PDF ou PNG.')
  if (!isPaginated && draft.parametros.length > 0)
    refuse('parametros', 'Só um relatório paginado tem parâmetros.')
  if (draft.pulaVazio && (isPaginated || report.provedor !== 'local'))
    refuse('pulaVazio', 'O serviço de BI deste relatório não diz se ele está sem linhas.')
  if (draft.entrega === 'ANEXO') {
    const skipReason = attachmentDenialReason(await readSendingRules(tx), report)
    if (skipReason !== null) refuse('entrega', skipReason)
  }
  const content = draft.idVisao === null ? {} : await contentOfView(tx, draft.idVisao, { owner, idRelatorio })
  return { ...draft, ...content, ...recipientsOf(draft, owner) }
}

const assertFitsPaginated = (draft: SubscriptionDraft): void => {
  const { formato, pagina, idVisao, frequencia, pulaInalterado } = draft
  if (formato === 'PNG') refuse('formato', 'Um relatório paginado é enviado em PDF ou em planilha (XLSX).')
  if (pagina !== null) refuse('pagina', 'Um relatório paginado é enviado inteiro.')
  if (idVisao !== null) refuse('idVisao', 'Um relatório paginado não tem visões salvas.')
  if (frequencia === 'ATUALIZACAO')
    refuse('frequencia', 'O serviço de BI não diz quando os dados de um relatório paginado são atualizados.')
  if (pulaInalterado)
    refuse('pulaInalterado', 'O serviço de BI não diz se os dados de um relatório paginado mudaram.')
}

const contentOfView = async (
  tx: Db,
  idVisao: number,
  { owner, idRelatorio }: { owner: Owner; idRelatorio: number },
) => {
  const view = await tx
    .selectFrom('visaoSalva')
    .select(['pagina', 'filtros', 'marcador'])
    .where('idVisao', '=', idVisao)
    .where('idUsuario', '=', owner.idUsuario)
    .where('idRelatorio', '=', idRelatorio)
    // The trigger copies later changes; none may come between this read and the insert.
    .forShare()
    .executeTakeFirst()
  return view ?? refuse('idVisao', 'Esta visão salva não existe mais. Escolha outra.')
}

const recipientsOf = ({ idPessoas, idPerfis }: SubscriptionDraft, { idUsuario, tipo }: Owner) => {
  const isOnlyOwner = idPerfis.length === 0 && idPessoas.every((id) => id === idUsuario)
  if (isOnlyOwner) return { idPessoas: [idUsuario], idPerfis: [] }
  if (tipo !== 'ADMIN') refuse('idPessoas', 'Só um administrador assina um relatório para outras pessoas.')
  return { idPessoas, idPerfis }
}

/** @throws Problem 422 when the people and the members of profiles are too many */
export const assertFewRecipients = async (tx: Db, idAssinatura: number): Promise<void> => {
  const { length } = await listRecipients(tx, idAssinatura)
  if (length <= MAX_RECIPIENTS) return
  const limit = MAX_RECIPIENTS.toLocaleString('pt-BR')
  const total = length.toLocaleString('pt-BR')
  refuse('idPerfis', `Uma assinatura tem no máximo ${limit} destinatários, e esta teria ${total}.`)
}

/** @throws Problem 422 when a PNG would be of the whole report: its saved view names no page */
export const assertHasPage = ({ formato, pagina }: SubscriptionDraft): void => {
  if (formato === 'PNG' && pagina === null)
    refuse('idVisao', 'Esta visão salva é do relatório inteiro, e uma imagem PNG é de uma página.')
}
