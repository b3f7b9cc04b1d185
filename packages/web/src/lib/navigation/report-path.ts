import { type CommentPlace, REGISTRATION, reportPath, SUBSCRIPTION } from '@bi-manager/contract'
import { matchPath } from 'react-router'

/** The viewer's two routes; the second lacks the report's name. */
export const reportRoutes = [
  '/relatorio-embed/:groupName/:relatorio/:groupId/:reportId',
  '/relatorio-embed/:groupName/:groupId/:reportId',
] as const

/** Query parameter of the report's page. */
export const PAGE = 'pagina'

/** Query parameter that opens a thread of comments. */
export const CONVERSATION = 'conversa'

export interface ReportIds {
  groupId: string
  reportId: string
  /** Set only when the two ids are ambiguous. */
  idRelatorio?: number | undefined
}

export type UrlParts = Pick<Location, 'pathname' | 'search'>

/** Returns the address of the viewer that shows a comment's page and opens its thread. */
export const conversationPath = ({ pagina, idConversa, ...place }: CommentPlace): string => {
  const { nomeGrupo: workspace, nomeRelatorio: relatorio, groupId, reportId, idRelatorio } = place
  const path = reportPath({ workspace, relatorio, groupId, reportId, idRelatorio })
  const page = pagina === null ? '' : `&${PAGE}=${encodeURIComponent(pagina)}`
  return `${path}${page}&${CONVERSATION}=${idConversa}`
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
export const registrationIn = (search: URLSearchParams): number | undefined => idIn(search, REGISTRATION)

/** Returns the thread of comments that an address of the viewer opens; undefined if there is none. */
export const conversationIn = (search: URLSearchParams): number | undefined => idIn(search, CONVERSATION)

/** Returns the subscription whose filters an address asks for; undefined if there is none. */
export const subscriptionIn = (search: URLSearchParams): number | undefined => idIn(search, SUBSCRIPTION)

const idIn = (search: URLSearchParams, name: string): number | undefined => {
  const text = search.get(name) ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
