import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExportFormat } from '@bi-manager/contract'
import { type Kind, kindOf, type SeenRequest } from './provider-requests.ts'

export type Provider = Awaited<ReturnType<typeof startProvider>>

export interface ScriptedAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string>
  /** Milliseconds to wait before answering. */
  delay?: number
  /** Breaks the connection instead of answering. */
  drop?: boolean
  /** Breaks the connection within the body. */
  cut?: boolean
}

type Answers = Record<Kind, (request: SeenRequest) => ScriptedAnswer>

/**
 * Plays Microsoft's side of the protocol on a real socket: answers of a healthy tenant, each
 * replaceable by a test, and a record of all requests. Uses no code of the project's report
 * service.
 */
export const startProvider = async () => {
  const seen: SeenRequest[] = []
  const overrides: Partial<Answers> = {}
  const holders: Partial<Record<Kind, (proceed: () => void) => void>> = {}
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    const call: SeenRequest = {
      method: request.method ?? '',
      path,
      authorization: request.headers.authorization,
      contentType: request.headers['content-type'],
      requestedFor: request.headers['x-requested-for']?.toString(),
      requestId: request.headers['x-request-id']?.toString(),
      traceparent: request.headers.traceparent?.toString(),
      profile: request.headers['x-powerbi-profile-id']?.toString(),
      body: Buffer.concat(chunks).toString(),
    }
    seen.push(call)
    const kind = kindOf(call)
    const {
      status = 200,
      body = {},
      headers = {},
      delay = 0,
      drop = false,
      cut = false,
    } = ((kind && (overrides[kind] ?? healthy(origin())[kind])) ?? gone)(call)
    await new Promise((resolve) => setTimeout(resolve, delay))
    const holder = kind && holders[kind]
    if (holder) {
      delete holders[kind]
      await new Promise<void>(holder)
    }
    if (drop) return void request.socket.destroy()
    const bytes = Buffer.from(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    const length = cut ? { 'content-length': String(bytes.length + 1) } : {}
    response.writeHead(status, { 'content-type': 'application/json', ...headers, ...length })
    if (cut) response.write(bytes, () => request.socket.destroy())
    else response.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin: origin(),
    /** Settings of a portal whose provider, in all its roles, is this one. */
    settings: {
      POWERBI_AUTHORITY_URL: origin(),
      POWERBI_API_URL: origin(),
      POWERBI_EMBED_URL: origin(),
      POWERBI_GRAPH_URL: origin(),
      POWERBI_MANAGEMENT_URL: origin(),
      REPORTS_URL: origin(),
    },
    seen,
    /** Replaces one answer. */
    answer: (kind: Kind, make: (request: SeenRequest) => ScriptedAnswer) => {
      overrides[kind] = make
    },
    /**
     * Holds the next answer of a kind back.
     * @returns once the request arrives: the function that releases the answer
     */
    hold: (kind: Kind): Promise<() => void> =>
      new Promise((resolve) => {
        holders[kind] = resolve
      }),
    restore: () => {
      seen.length = 0
      for (const kind of Object.keys(overrides)) delete overrides[kind as Kind]
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

export const datasetId = 'cfafbeb1-8037-4d0c-896e-a46fb27ff229'

/** Microsoft's answer to a call with an unknown id. */
const gone = (): ScriptedAnswer => ({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } })

export const groupId = 'f089354e-8366-4e18-aea3-4cb4a3a50b48'
export const reportId = '5b218778-e7a5-4d73-8187-f10824047715'
export const paginatedReportId = '8ae1ab04-2f8f-4a5f-9d2d-8a5ad6a9b8e1'

/** A file that the local service keeps until it is published. */
export const draftId = '0a5d9b1e-6c0f-4f4e-9d0e-5b8f4f2d7c11'
/** What a publication concerned, as the local service says. */
const concerned = { reports: [reportId], datasets: [datasetId] }

/** The smallest files with a valid beginning. */
export const exportedFiles = {
  PDF: Buffer.from('%PDF-1.7\n%%EOF\n'),
  PNG: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  XLSX: Buffer.from('PK\u0003\u0004planilha'),
  DOCX: Buffer.from('PK\u0003\u0004documento'),
  PPTX: Buffer.from('PK\u0003\u0004slides'),
  CSV: Buffer.from('mes,valor\r\n1,10\r\n'),
} satisfies Record<ExportFormat, Buffer>

/** Azure Resource Manager's answer to a change that takes a while. */
export const accepted = (origin: string): ScriptedAnswer => ({
  status: 202,
  headers: { location: `${origin}/subscriptions/operationresults/1`, 'retry-after': '10' },
  body: '',
})

/** A version as the local service describes it. */
export const firstVersion = {
  number: 1,
  at: '2026-03-01T12:00:00.000Z',
  author: 'ana',
  origin: 'command',
  changes: ['Publicado pela primeira vez'],
}

let issued = 0
const healthy = (origin: string): Answers => ({
  token: () => ({ body: { token_type: 'Bearer', expires_in: 3599, access_token: `entra-${++issued}` } }),
  groups: () => ({
    body: {
      value: [
        { id: groupId, name: 'Saúde', isReadOnly: false, isOnDedicatedCapacity: true, type: 'Workspace' },
        {
          id: '3d9b93c6-7b6d-4801-a491-1738910904fd',
          name: 'Água',
          isReadOnly: false,
          isOnDedicatedCapacity: true,
          type: 'Workspace',
        },
      ],
    },
  }),
  capacities: () => ({ body: { value: [] } }),
  groupReports: () => ({
    body: {
      value: [
        { id: paginatedReportId, reportType: 'PaginatedReport', name: 'Notas' },
        {
          id: reportId,
          reportType: 'PowerBIReport',
          name: 'Gestão',
          embedUrl: `${origin}/reportEmbed?reportId=${reportId}`,
          datasetId,
        },
      ],
    },
  }),
  dashboards: () => ({ body: { value: [] } }),
  report: ({ path }) => {
    const id = path.split('/').at(-1)
    return { body: { id, name: 'Relatório', embedUrl: `${origin}/reportEmbed?reportId=${id}`, datasetId } }
  },
  pages: () => ({
    body: {
      value: [
        { name: 'ReportSection1', displayName: 'Resumo', order: 0 },
        { name: 'ReportSection2', displayName: 'Detalhes', order: 1 },
      ],
    },
  }),
  dataset: () => ({ body: { id: datasetId, isEffectiveIdentityRequired: false } }),
  refreshes: () => ({
    body: {
      value: [
        {
          requestId: '9399bb89-25d1-44f8-8576-136d7e9014b1',
          refreshType: 'Scheduled',
          startTime: '2025-11-23T10:55:00.153Z',
          endTime: '2025-11-23T11:00:00.153Z',
          status: 'Completed',
        },
      ],
    },
  }),
  startRefresh: () => ({ status: 202, headers: { 'x-ms-request-id': crypto.randomUUID() }, body: '' }),
  refreshSchedule: () => ({
    body: {
      days: ['Sunday', 'Friday', 'Saturday'],
      times: ['16:30', '05:00'],
      enabled: true,
      localTimeZoneId: 'E. South America Standard Time',
      notifyOption: 'MailOnFailure',
    },
  }),
  generateToken: () => ({
    body: {
      token: `embed-${++issued}`,
      tokenId: crypto.randomUUID(),
      expiration: new Date(Date.now() + 3_600_000).toISOString(),
    },
  }),
  // The id contains the format, so that the file has it too.
  exportTo: ({ body }) => ({
    status: 202,
    body: { id: `${JSON.parse(body).format}-${++issued}`, status: 'NotStarted', percentComplete: 0 },
  }),
  exportFormats: () => ({ body: { value: ['PDF', 'PNG', 'XLSX'] } }),
  exportState: ({ path }) => ({
    body: { id: path.split('/').at(-1), status: 'Succeeded', percentComplete: 100 },
  }),
  // Microsoft Graph without Application.Read.All.
  application: () => ({
    status: 403,
    body: {
      error: {
        code: 'Authorization_RequestDenied',
        message: 'Insufficient privileges to complete the operation.',
      },
    },
  }),
  exportFile: ({ path }) => {
    const format = ExportFormat.options.find((one) => path.includes(`/exports/${one}`)) ?? 'PDF'
    const body = exportedFiles[format]
    const headers = { 'content-type': 'application/octet-stream', 'content-length': String(body.length) }
    return { headers, body }
  },
  // Tests in a browser play Microsoft's page.
  embedPage: gone,
  embedRows: gone,
  groupDatasets: () => ({ body: { value: [{ id: datasetId, name: 'Custos', isRefreshable: true }] } }),
  capacity: ({ path }) => {
    const state = path.includes('/pausada') ? 'Paused' : 'Active'
    return { body: { sku: { name: 'F2', tier: 'Fabric' }, properties: { state } } }
  },
  capacityStart: () => accepted(origin),
  capacityPause: () => accepted(origin),
  capacityResize: () => ({ body: { properties: { state: 'Scaling' } } }),
  sendDraft: () => ({ status: 201, body: { id: draftId } }),
  readDraft: ({ body }) => ({
    body: {
      faults: [],
      remarks: ['x.csv: um aviso'],
      rows: 2,
      preview: [['1.5', null]],
      explanation: ['Somadas: Valor (R$).'],
      tables: [{ name: 'x', columns: ['Valor', 'Lista'] }],
      columns: [
        { name: 'Valor', label: 'Valor (R$)', type: 'number', shownAs: 'money', distinct: 2, isKey: false },
        { name: 'Lista', label: 'Lista', type: 'other', distinct: 1, isKey: false },
      ],
      report: { id: reportId, name: JSON.parse(body).reportName },
    },
  }),
  discardDraft: () => ({ body: { id: draftId } }),
  checkOrPublishDraft: () => ({
    body: { faults: [], remarks: [], workspaceId: groupId, reportId, concerned },
  }),
  validateFolder: () => ({
    body: {
      faults: [],
      remarks: [],
      concerned,
      reports: [
        {
          id: reportId,
          name: 'Vendas',
          workspaceId: groupId,
          workspaceName: 'Saúde',
          replaces: false,
          roles: ['Operadora'],
        },
      ],
    },
  }),
  previewDraft: () => ({
    body: {
      faults: [],
      reportId,
      token: `preview-${++issued}`,
      embedUrl: `${origin}/reportEmbed?reportId=x`,
      expiration: new Date(Date.now() + 600_000).toISOString(),
    },
  }),
  published: () => ({
    body: {
      value: [
        {
          id: reportId,
          name: 'Custos',
          workspace: { id: groupId, name: 'Saúde' },
          versions: 2,
          last: firstVersion,
        },
        {
          id: paginatedReportId,
          name: 'Água',
          workspace: { id: groupId, name: 'Saúde' },
          versions: 0,
          last: null,
        },
      ],
    },
  }),
  versions: () => ({ body: { value: [{ ...firstVersion, data: 'current' }] } }),
  tables: () => ({
    body: {
      value: [
        {
          name: 'Custos',
          hidden: false,
          columns: [
            { name: 'Valor', label: 'Valor (R$)', kind: 'number' },
            { name: 'Lista', kind: 'other' },
          ],
        },
      ],
    },
  }),
  replaceData: () => ({ body: { faults: [], remarks: ['um aviso'], rows: 2, concerned } }),
  runQuery: () => ({ body: { results: [{ tables: [{ rows: [{ '[v]': 1 }] }] }] } }),
  describeReport: () => ({
    body: {
      name: 'Custos',
      pages: [
        {
          name: 'p1',
          displayName: 'Resumo',
          visuals: [{ name: 'custo', type: 'card', title: 'Custo', columns: ['custo'] }],
        },
      ],
      columns: {},
    },
  }),
  readData: () => ({
    body: { visuals: { custo: { columns: ['custo'], rows: [[1]], truncated: false } }, failures: {} },
  }),
  beneficiaries: () => ({ body: { ids: [], more: 0 } }),
  restoreVersion: () => ({ body: { faults: [], remarks: ['um aviso'], concerned } }),
  capacitySkus: () => ({
    body: { value: ['F8', 'F2', 'F4'].map((name) => ({ sku: { name, tier: 'Fabric' } })) },
  }),
})
