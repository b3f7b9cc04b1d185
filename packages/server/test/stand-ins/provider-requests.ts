/* The requests that the stand-in of a provider gets, and which call each one is. */

export interface SeenRequest {
  method: string
  path: string
  authorization: string | undefined
  contentType: string | undefined
  requestedFor: string | undefined
  requestId: string | undefined
  traceparent: string | undefined
  /** The service principal profile that the caller acts for. */
  profile: string | undefined
  body: string
}

/** The calls that the stand-in answers. */
export type Kind =
  | 'token'
  | 'groups'
  | 'capacities'
  | 'groupReports'
  | 'dashboards'
  | 'report'
  | 'pages'
  | 'dataset'
  | 'refreshes'
  | 'startRefresh'
  | 'refreshSchedule'
  | 'generateToken'
  | 'exportTo'
  | 'exportState'
  | 'exportFile'
  | 'exportFormats'
  | 'application'
  | 'embedPage'
  | 'embedRows'
  | 'groupDatasets'
  | 'capacity'
  | 'capacityStart'
  | 'capacityPause'
  | 'capacityResize'
  | 'capacitySkus'
  | 'sendDraft'
  | 'readDraft'
  | 'checkOrPublishDraft'
  | 'previewDraft'
  | 'validateFolder'
  | 'discardDraft'
  | 'published'
  | 'versions'
  | 'restoreVersion'
  | 'tables'
  | 'replaceData'
  | 'beneficiaries'
  | 'runQuery'
  | 'describeReport'
  | 'readData'

/** Returns which call a request is; undefined for an unknown address. */
export const kindOf = ({ path, method }: SeenRequest): Kind | undefined => {
  const [address = ''] = path.split('?')
  if (address.endsWith('/oauth2/v2.0/token')) return 'token'
  if (address.endsWith('/GenerateToken')) return 'generateToken'
  if (address.endsWith('/ExportTo')) return 'exportTo'
  if (address.endsWith('/exportFormats')) return 'exportFormats'
  if (/\/exports\/[^/]+\/file$/.test(address)) return 'exportFile'
  if (/\/exports\/[^/]+$/.test(address)) return 'exportState'
  if (address.startsWith('/v1.0/applications(')) return 'application'
  if (address.endsWith('/executeQueries')) return 'runQuery'
  if (address.endsWith('/refreshes')) return method === 'POST' ? 'startRefresh' : 'refreshes'
  if (address.endsWith('/refreshSchedule')) return 'refreshSchedule'
  if (address.startsWith('/subscriptions/')) {
    if (address.endsWith('/resume')) return 'capacityStart'
    if (address.endsWith('/suspend')) return 'capacityPause'
    if (address.endsWith('/skus')) return 'capacitySkus'
    return method === 'PATCH' ? 'capacityResize' : 'capacity'
  }
  // Of the local report service only.
  if (address.startsWith('/embed-api/')) return address.endsWith('/data') ? 'readData' : 'describeReport'
  if (address.endsWith('/beneficiaries')) return 'beneficiaries'
  if (/\/drafts(\/folders(\/[^/]+\/files)?)?$/.test(address)) return 'sendDraft'
  if (address.endsWith('/discard')) return 'discardDraft'
  if (/\/drafts\/folders\/[^/]+\/(check|publish)$/.test(address)) return 'validateFolder'
  if (/\/drafts\/(folders\/)?[^/]+\/preview$/.test(address)) return 'previewDraft'
  if (address.includes('/drafts/')) return address.endsWith('/read') ? 'readDraft' : 'checkOrPublishDraft'
  if (address.endsWith('/publications')) return 'published'
  if (address.includes('/publications/')) {
    if (address.endsWith('/tables')) return 'tables'
    if (/\/data(\/check)?$/.test(address)) return 'replaceData'
    return address.endsWith('/restore') ? 'restoreVersion' : 'versions'
  }
  if (address.endsWith('/datasets')) return 'groupDatasets'
  if (address.includes('/datasets/')) return 'dataset'
  if (address.endsWith('/dashboards')) return 'dashboards'
  if (address === '/rdlEmbed' || address === '/reportEmbed') return 'embedPage'
  if (address === '/simulated/rows') return 'embedRows'
  if (address.endsWith('/groups')) return 'groups'
  if (address.endsWith('/capacities')) return 'capacities'
  if (address.endsWith('/pages')) return 'pages'
  if (address.endsWith('/reports')) return 'groupReports'
  return address.includes('/reports/') ? 'report' : undefined
}
