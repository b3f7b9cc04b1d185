import { expect } from 'vitest'
import { type Service, serviceWith } from './fixture.ts'

/** Returns the calls with which the portal publishes a file and replaces its rows. */
export const beginReplacing = async (settings: Parameters<typeof serviceWith>[0] = {}) =>
  replacingCalls(await serviceWith(settings))

/** Returns the same calls of a service that several tests share. */
export const replacingCalls = async (service: Service) => {
  const token = await service.entraToken()
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) =>
    (await service.app.inject({ url: `/v1.0/myorg${path}`, headers })).json()
  const post = (path: string, payload: object) =>
    service.app.inject({ method: 'POST', url: `/v1.0/myorg${path}`, headers, payload })
  const draft = async (bytes: string | Buffer, name = 'novo.csv'): Promise<string> => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/drafts?name=${name}`,
      payload: bytes,
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    })
    return answer.json().id
  }
  const replace = (
    report: string,
    id: string,
    table = 'Claims',
    what: '' | '/check' = '',
    choices: object = {},
  ) => post(`/publications/${report}/data${what}`, { draft: id, table, author: 'Bia', ...choices })
  return { service, get, post, draft, replace }
}
export type Begun = Awaited<ReturnType<typeof beginReplacing>>

export const csvOf = (rows: number, header = 'Data;Valor pago;Situação') =>
  [
    header,
    ...Array.from({ length: rows }, (_, n) => `0${(n % 9) + 1}/03/2026;R$ ${n},50;${n % 2 ? 'a' : 'b'}`),
  ].join('\n')

/** Publishes a report of a file as the portal does, and returns its id. */
export const publishFile = async ({ post, draft }: Begun, text = csvOf(40), choices: object = {}) => {
  const id = await draft(text, 'Custos.csv')
  const { report } = (await post(`/drafts/${id}/read`, { reportName: 'Custos', ...choices })).json()
  const body = { workspace: { name: 'Área' }, report: JSON.stringify(report), author: 'Ana' }
  const { faults, reportId, workspaceId } = (await post(`/drafts/${id}/publish`, body)).json()
  expect(faults).toEqual([])
  return { reportId, workspaceId, page: report.pages[0].name }
}
/** Returns the first number of the first page. */
export const rowsShown = async (
  { service, post }: { service: Service; post: Begun['post'] },
  { reportId, workspaceId, page }: { reportId: string; workspaceId: string; page: string },
) => {
  const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
  const { token } = (await post(path, { accessLevel: 'View' })).json()
  const { visuals } = (await service.data(token, [], page, reportId)).json()
  return visuals.total_1.rows[0][0]
}
