import { demoCatalogue } from '@bi-manager/reports/demo/catalogue'
import { protocolReport } from './protocol-report.ts'
import type { StockService } from './stock-service.ts'

/** The configuration with which powerbi-client embeds one report. */
export interface EmbedConfiguration {
  type: 'report'
  id: string
  embedUrl: string
  accessToken: string
  /** powerbi-models' TokenType.Embed. */
  tokenType: 1
}

/** Requests a report and a fresh token like the portal: OAuth2, the report, GenerateToken. */
export const embedConfiguration = async (
  { api, credentials }: StockService,
  name: string,
): Promise<EmbedConfiguration> => {
  const authorization = `Bearer ${await entraToken(api, credentials)}`
  const address = `${api}/v1.0/myorg/groups/${addressOf(name)}`
  const report = await json(address, { headers: { authorization } })
  const { token } = await json(`${address}/GenerateToken`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ accessLevel: 'View' }),
  })
  return { type: 'report', id: report.id, embedUrl: report.embedUrl, accessToken: token, tokenType: 1 }
}

const entraToken = async (api: string, { tenantId, applications }: StockService['credentials']) => {
  const [application] = applications
  const { access_token } = await json(`${api}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: application?.clientId ?? '',
      client_secret: application?.clientSecret ?? '',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    }),
  })
  return access_token
}

const addressOf = (name: string): string => {
  if (name === protocolReport.name) return protocolReport.address
  for (const { id, reports } of demoCatalogue().workspaces) {
    const report = reports.find((candidate) => candidate.name === name)
    if (report) return `${id}/reports/${report.id}`
  }
  throw new Error(`the demo has no report named ${name}`)
}

const json = async (address: string, init: RequestInit) => {
  const response = await fetch(address, init)
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
