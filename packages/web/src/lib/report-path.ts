import { matchPath } from 'react-router'

/** The two addresses of the viewer; the second is the variant without the report's name. */
export const reportRoutes = [
  '/relatorio-embed/:groupName/:relatorio/:groupId/:reportId',
  '/relatorio-embed/:groupName/:groupId/:reportId',
] as const

/** Says which registration is meant where one external report is registered more than once. */
export const REGISTRATION = 'relatorio'

interface ReportLink {
  workspace: string
  relatorio: string
  groupId: string
  reportId: string
  /** Only where the two ids leave open which report is meant. */
  idRelatorio?: number | undefined
}

export interface ReportIds {
  groupId: string
  reportId: string
  idRelatorio?: number | undefined
}

/** The address of a report. The names only make it readable: the ids decide what opens. */
export const reportPath = ({ workspace, relatorio, groupId, reportId, idRelatorio }: ReportLink): string => {
  const path = [slug(workspace), slug(relatorio), groupId, reportId].map(encodeURIComponent).join('/')
  return `/relatorio-embed/${path}${idRelatorio === undefined ? '' : `?${REGISTRATION}=${idRelatorio}`}`
}

/** The ids in an address of the viewer, undefined elsewhere. */
export const reportInAddress = ({
  pathname,
  search,
}: {
  pathname: string
  search: string
}): ReportIds | undefined => {
  for (const pattern of reportRoutes) {
    const { groupId, reportId } = matchPath(pattern, pathname)?.params ?? {}
    if (groupId && reportId)
      return { groupId, reportId, idRelatorio: registrationIn(new URLSearchParams(search)) }
  }
  return undefined
}

/** The registration that an address asks for; what is no id counts for nothing. */
export const registrationIn = (search: URLSearchParams): number | undefined => {
  const text = search.get(REGISTRATION) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

export const slug = (name: string): string => {
  const text = name.toWellFormed().toLocaleLowerCase('pt-BR').replaceAll(' ', '-')
  // An empty segment, '.' and '..' would be resolved away by the browser, percent-encoded or not.
  return /^\.{0,2}$/.test(text) ? '-' : text
}
