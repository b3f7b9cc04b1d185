import { reportPath } from '@bi-manager/contract'
import type { Config } from '../../platform/config/config.ts'

interface Linked {
  nomeGrupo: string
  nomeRelatorio: string
  groupId: string
  reportId: string
  /** The query, which names report and page. */
  consulta: string
}

/** Returns the address of a report in the portal, which requires a sign-in. */
export const reportLink = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { nomeGrupo: workspace, nomeRelatorio: relatorio, groupId, reportId, consulta }: Linked,
): string => `${publicUrl}${reportPath({ workspace, relatorio, groupId, reportId })}?${consulta}`

interface Place {
  idRelatorio: number
  /** Null: the whole report. */
  pagina: string | null
}

/** Returns the query of a link that names report and page only. */
export const plainQuery = ({ idRelatorio, pagina }: Place): URLSearchParams =>
  new URLSearchParams({ relatorio: String(idRelatorio), ...(pagina ? { pagina } : {}) })
