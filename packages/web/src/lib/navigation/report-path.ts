import { matchPath } from 'react-router'

/** The viewer's two routes; the second lacks the report's name. */
export const reportRoutes = [
  '/relatorio-embed/:groupName/:relatorio/:groupId/:reportId',
  '/relatorio-embed/:groupName/:groupId/:reportId',
] as const

/** Query parameter that names the registration of a report registered more than once. */
export const REGISTRATION = 'relatorio'

export interface ReportIds {
  groupId: string
  reportId: string
  /** Set only when the two ids are ambiguous. */
  idRelatorio?: number | undefined
}

interface ReportLink extends ReportIds {
  workspace: string
  relatorio: string
}

export type UrlParts = Pick<Location, 'pathname' | 'search'>

/** Returns the address of a report. The names make it readable; the ids determine it. */
export const reportPath = ({ workspace, relatorio, groupId, reportId, idRelatorio }: ReportLink): string => {
  const path = [slug(workspace), slug(relatorio), groupId, reportId].map(encodeURIComponent).join('/')
  return `/relatorio-embed/${path}${idRelatorio === undefined ? '' : `?${REGISTRATION}=${idRelatorio}`}`
}

/** Returns the address at which an ADMIN sees a report with a person's identity. */
export const reportAsPath = (idUsuario: number, { groupId, reportId, idRelatorio }: ReportIds): string => {
  const path = `/permissoes/ver-como/${idUsuario}/${encodeURIComponent(groupId)}/${encodeURIComponent(reportId)}`
  return idRelatorio === undefined ? path : `${path}?${REGISTRATION}=${idRelatorio}`
}

/** Returns the ids in an address of the viewer, undefined elsewhere. */
export const reportInAddress = ({ pathname, search }: UrlParts): ReportIds | undefined => {
  for (const pattern of reportRoutes) {
    const { groupId, reportId } = matchPath(pattern, pathname)?.params ?? {}
    if (groupId && reportId)
      return { groupId, reportId, idRelatorio: registrationIn(new URLSearchParams(search)) }
  }
  return undefined
}

/** Returns the registration in an address; undefined if it is not a valid id. */
export const registrationIn = (search: URLSearchParams): number | undefined => {
  const text = search.get(REGISTRATION) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

export const slug = (name: string): string => {
  const text = name.toWellFormed().toLocaleLowerCase('pt-BR').replaceAll(' ', '-')
  // The browser resolves an empty segment, '.' and '..' away, even percent-encoded.
  return /^\.{0,2}$/.test(text) ? '-' : text
}
