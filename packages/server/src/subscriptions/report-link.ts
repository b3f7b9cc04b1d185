import { reportPath } from '@bi-manager/contract'
import type { Config } from '../config/config.ts'

interface Linked {
  nomeGrupo: string
  nomeRelatorio: string
  groupId: string
  reportId: string
  /** The query with page and filters. */
  consulta: string | null
}

/** Returns the address of a report in the portal, which requires a sign-in. */
export const reportLink = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { nomeGrupo: workspace, nomeRelatorio: relatorio, groupId, reportId, consulta }: Linked,
): string =>
  `${publicUrl}${reportPath({ workspace, relatorio, groupId, reportId })}${consulta ? `?${consulta}` : ''}`
