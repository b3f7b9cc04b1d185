/** Query parameter that names the registration of a report registered more than once. */
export const REGISTRATION = 'relatorio'

/** Query parameter that names the subscription whose filters the viewer applies. */
export const SUBSCRIPTION = 'assinatura'

interface ReportLink {
  workspace: string
  relatorio: string
  groupId: string
  reportId: string
  /** Set only when the two ids are ambiguous. */
  idRelatorio?: number | undefined
}

/**
 * Returns the path of a report in the portal. The names only make it readable; the ids determine it.
 */
export const reportPath = ({ workspace, relatorio, groupId, reportId, idRelatorio }: ReportLink): string => {
  const path = [slug(workspace), slug(relatorio), groupId, reportId].map(encodeURIComponent).join('/')
  return `/relatorio-embed/${path}${idRelatorio === undefined ? '' : `?${REGISTRATION}=${idRelatorio}`}`
}

/** Returns a name as a segment of a path, before its percent-encoding. */
export const slug = (name: string): string => {
  const text = name.toWellFormed().toLocaleLowerCase('pt-BR').replaceAll(' ', '-')
  // The browser resolves an empty segment, '.' and '..' away, even percent-encoded.
  return /^\.{0,2}$/.test(text) ? '-' : text
}
