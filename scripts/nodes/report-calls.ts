import { ApiProblem } from '@bi-manager/contract'

interface Definition {
  pages: { name: string }[]
}

/**
 * Calls the report service like the embed page does.
 * @throws ApiProblem like the portal's own client
 */
const call = async (url: string, token: string, body?: object): Promise<unknown> => {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (response.ok) return response.json()
  const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string } }
  const code = error?.code ?? 'LoadReportFailed'
  // The embed page has a Portuguese sentence for each code, and one for all others.
  const detail = `O serviço de relatórios não respondeu (${code}).`
  throw new ApiProblem(response.status, { codigo: code, detail })
}

export const readDefinition = (origin: string, reportId: string, token: string) =>
  call(`${origin}/embed-api/reports/${reportId}`, token) as Promise<Definition>

export const readPage = (origin: string, reportId: string, token: string, page: string) =>
  call(`${origin}/embed-api/reports/${reportId}/data`, token, { page, filters: [] })
