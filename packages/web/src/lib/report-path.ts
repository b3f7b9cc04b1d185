import { matchPath } from 'react-router'

/** The two addresses of the viewer; the second is the variant without the report's name. */
export const reportRoutes = [
  '/relatorio-embed/:groupName/:relatorio/:groupId/:reportId',
  '/relatorio-embed/:groupName/:groupId/:reportId',
] as const

interface ReportLink {
  workspace: string
  relatorio: string
  groupId: string
  reportId: string
}

/** The address of a report. The names only make it readable: the ids decide what opens. */
export const reportPath = ({ workspace, relatorio, groupId, reportId }: ReportLink): string =>
  `/relatorio-embed/${[slug(workspace), slug(relatorio), groupId, reportId].map(encodeURIComponent).join('/')}`

/** The ids in an address of the viewer, undefined elsewhere. */
export const reportInPath = (pathname: string): { groupId: string; reportId: string } | undefined => {
  for (const pattern of reportRoutes) {
    const { groupId, reportId } = matchPath(pattern, pathname)?.params ?? {}
    if (groupId && reportId) return { groupId, reportId }
  }
  return undefined
}

const slug = (name: string): string => {
  const text = name.toWellFormed().toLocaleLowerCase('pt-BR').replaceAll(' ', '-')
  // An empty segment, '.' and '..' would be resolved away by the browser, percent-encoded or not.
  return /^\.{0,2}$/.test(text) ? '-' : text
}
