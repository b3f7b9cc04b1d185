import { z } from 'zod'
import type { Connection } from './connection.ts'
import { isPaginatedReport, type ListedReport } from './power-bi-api.ts'

/**
 * Returns the sentence that tells an administrator why the portal cannot embed a report, as far as
 * the list of reports shows it.
 * @param embed the address of the pages that the portal may embed
 */
export const embedDenialReason = (
  { id, datasetId, reportType, embedUrl }: Omit<ListedReport, 'name'>,
  { provider, credential }: Pick<Connection, 'provider' | 'credential'>,
  embed: string,
): string | null => {
  if (!z.guid().safeParse(id).success) return 'O id deste relatório não é um GUID, e o portal não o cadastra.'
  const isPaginated = isPaginatedReport({ reportType })
  if (isPaginated && credential.kind === 'master_user') return paginatedOfMaster
  if (!datasetId && !isPaginated)
    return 'Não tem conjunto de dados, e o portal não o incorpora. Veja se o conjunto foi excluído.'
  if (embedUrl === null) return 'O serviço de BI não informa o endereço da página dele.'
  return embedUrl === undefined ? null : foreignPage(embedUrl, provider, embed)
}

/** Microsoft issues tokens for paginated reports to service principals only. */
export const paginatedOfMaster =
  'É um relatório paginado, que o Power BI só incorpora com um service principal. Esta conexão usa um usuário mestre.'

export const dashboardDenialReason =
  'É um painel (dashboard): o portal só incorpora relatórios, e não painéis nem os blocos (tiles) deles.'

/** Returns the sentence about a report that is shown on another origin than the configured one. */
export const foreignPage = (
  embedUrl: string,
  provider: Connection['provider'],
  embed: string,
): string | null => {
  const origin = URL.parse(embedUrl)?.origin ?? 'um endereço inválido'
  if (origin === new URL(embed).origin) return null
  const setting = provider === 'local' ? 'REPORTS_URL' : 'POWERBI_CLOUD ou POWERBI_EMBED_URL'
  return `O relatório é exibido em ${origin}, mas o portal só aceita ${embed}. Corrija a configuração ${setting}.`
}
