import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ownerOf } from '../../authoring/drafts/draft-call.ts'
import type { Filter } from '../../definitions/wire-filters.ts'
import { findColumn, type Report } from '../../engine/data/catalog.ts'
import { NoSandboxError } from '../../exports/chromium-process.ts'
import type { ExportSheet } from '../../exports/export-task.ts'
import { DamagedJobError, type ExportJob, isFinished } from '../../exports/job-files.ts'
import { readUrlFilter } from '../../exports/url-filter.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest, notFound, PowerBiError } from '../../http/power-bi-error.ts'
import { SheetBrand } from '../../wire/sheet-brand.ts'
import { LONGEST_STATE } from '../../wire/wire-names.ts'
import { checkIdentities, EffectiveIdentity } from './effective-identity.ts'
import { type InReport, PLACES, type RestOptions } from './rest-options.ts'
import { findReport } from './workspaces.ts'

type Options = Pick<RestOptions, 'catalog' | 'reportsUrl' | 'entraClaimsOf' | 'exports'>
type OfExport = { Params: InReport['Params'] & { exportId: string } }

/** Routes as in Power BI's REST API: start an export (ExportTo), poll it, fetch its file. */
export const exportRoutes = async (app: FastifyInstance, options: Options) => {
  const { catalog, reportsUrl, entraClaimsOf, exports } = options

  const find = async (request: FastifyRequest<OfExport>) => {
    const report = findReport(catalog(), request.params)
    const { exportId } = request.params
    const job = await exports.jobs
      .find(exportId, entraClaimsOf(request).appid, report.id)
      .catch((error: unknown) => {
        if (!(error instanceof DamagedJobError)) throw error
        request.log.error({ err: error, exportId }, 'an export is damaged')
        throw new PowerBiError(
          410,
          'ExportDamaged',
          'The record of this export cannot be read: ask for a new one',
        )
      })
    if (job) return { report, job }
    // Without Chromium or its sandbox the client gets 501 with the reason, not 404.
    await assertSupported(options)
    throw notFound('The export')
  }

  for (const place of PLACES) {
    // Microsoft has no such call: it draws every format.
    app.get<InReport>(`${place}/reports/:reportId/exportFormats`, async (request) => {
      findReport(catalog(), request.params)
      return { value: (await exports.canDraw()) ? ['PDF', 'PNG', 'XLSX'] : ['XLSX'] }
    })
    app.post<InReport>(`${place}/reports/:reportId/ExportTo`, async (request, reply) => {
      const report = findReport(catalog(), request.params)
      const asked = parseBody(ExportRequest, request.body)
      const { format, powerBIReportConfiguration: wanted } = asked
      const { '@biManager.brand': brand, '@biManager.person': person } = asked
      const identities = checkIdentities(wanted?.identities ?? [], [report.dataset])
      const sheets = sheetsOf(report, wanted ?? {})
      if (format !== 'XLSX') await assertSupported(options)
      const job = await exports.jobs.start(
        {
          owner: entraClaimsOf(request).appid,
          person: ownerOf(request),
          reportId: report.id,
          reportName: report.definition.name,
        },
        {
          format,
          reportId: report.id,
          identities,
          sheets,
          ...(brand && { brand }),
          ...(person && { person }),
        },
      )
      if (!job) throw new PowerBiError(429, 'TooManyRequests', 'Too many exports are waiting')
      return sendJob(reply.code(202), describe(report, job, reportsUrl), job)
    })

    app.get<OfExport>(`${place}/reports/:reportId/exports/:exportId`, async (request, reply) => {
      const { report, job } = await find(request)
      return sendJob(reply.code(isFinished(job) ? 200 : 202), describe(report, job, reportsUrl), job)
    })

    app.get<OfExport>(`${place}/reports/:reportId/exports/:exportId/file`, async (request, reply) => {
      const { job } = await find(request)
      const bytes = await exports.jobs.readFile(job)
      if (!bytes || !job.file) throw notFound('The file of the export')
      const name = encodeURIComponent(job.reportName.toWellFormed() + job.file.extension).replace(
        /['()*]/g,
        percent,
      )
      return reply
        .type(job.file.type)
        .header(
          'content-disposition',
          `attachment; filename="export${job.file.extension}"; filename*=UTF-8''${name}`,
        )
        .send(bytes)
    })
  }
}

/** Seconds between two polls. */
const RETRY_AFTER = 1

const sendJob = (reply: FastifyReply, body: object, job: ExportJob) => {
  if (!isFinished(job)) reply.header('retry-after', RETRY_AFTER)
  return reply.send(body)
}

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

const assertSupported = async ({ exports }: Options): Promise<void> => {
  const isSupported = await exports.isSupported().catch((error: unknown) => {
    throw error instanceof NoSandboxError ? notSupported(error.message) : error
  })
  if (!isSupported) throw notSupported('it has no Chromium')
}

const notSupported = (reason: string) =>
  new PowerBiError(
    501,
    'ExportToFileNotSupported',
    `Exporting reports to files is not supported by this service: ${reason}`,
  )

const describe = (report: Report, job: ExportJob, reportsUrl: string) => {
  const base = `${reportsUrl}/v1.0/myorg/groups/${report.workspaceId}/reports/${report.id}/exports/${job.id}`
  const time = (milliseconds: number) => new Date(milliseconds).toISOString()
  return {
    '@odata.context': `${reportsUrl}/v1.0/myorg/groups/${report.workspaceId}/$metadata#exports/$entity`,
    id: job.id,
    createdDateTime: time(job.created),
    lastActionDateTime: time(job.changed),
    reportId: report.id,
    reportName: job.reportName,
    status: job.status,
    percentComplete: job.percentComplete,
    ...(job.error && { error: job.error }),
    ...(job.file && {
      resourceLocation: `${base}/file`,
      resourceFileExtension: job.file.extension,
      expirationTime: time(job.expires),
      ...(job.file.content && { '@biManager.content': job.file.content }),
    }),
  }
}

/** Microsoft's own limit of pages per export. */
const MAX_PAGES = 50

const Bookmark = z
  .object({ name: z.string().max(200).nullish(), state: z.string().max(LONGEST_STATE).nullish() })
  .refine(({ name, state }) => !(name && state), 'provide name or state, but not both')
  .nullish()

const Configuration = z.object({
  settings: z
    .object({ locale: z.string().max(35).nullish(), includeHiddenPages: z.boolean().nullish() })
    .nullish(),
  datasetToBind: z.string().nullish(),
  defaultBookmark: Bookmark,
  reportLevelFilters: z
    .array(z.object({ filter: z.string() }))
    .max(1, 'currently, only one filter is supported')
    .nullish(),
  pages: z
    .array(z.object({ pageName: z.string(), visualName: z.string().nullish(), bookmark: Bookmark }))
    .max(MAX_PAGES, `at most ${MAX_PAGES} pages`)
    .nullish(),
  identities: z.array(EffectiveIdentity).max(50).nullish(),
})

const ExportRequest = z.object({
  format: z.enum(['PDF', 'PNG', 'XLSX'], 'this service exports PDF, PNG and XLSX'),
  powerBIReportConfiguration: Configuration.nullish(),
  paginatedReportConfiguration: z.null('this is not a paginated report').optional(),
  /** An extension of this service: the company's look, drawn on each sheet. */
  '@biManager.brand': SheetBrand.nullish(),
  /** An extension of this service: for whom a spreadsheet is, as its first sheet says. */
  '@biManager.person': z.string().trim().max(200).nullish(),
})

/** Returns one sheet per requested page or visual; without a request, all pages. */
const sheetsOf = (report: Report, wanted: Partial<z.infer<typeof Configuration>>): ExportSheet[] => {
  const { datasetToBind, defaultBookmark, reportLevelFilters, pages } = wanted
  if (datasetToBind && datasetToBind.toLowerCase() !== report.dataset.id)
    throw invalidRequest('A report is exported with its own dataset only')
  const filters = (reportLevelFilters ?? []).flatMap(({ filter }) => readUrlFilter(filter))
  checkFilters(report, filters)
  const all = report.pages.map(({ definition }) => ({ pageName: definition.name }))
  const requested: NonNullable<typeof pages> = pages?.length ? pages : all
  return requested.map(({ pageName, visualName, bookmark }) => {
    const page = report.pages.find(({ definition }) => definition.name === pageName)?.definition
    if (!page) throw invalidRequest(`The report has no page ${pageName}`)
    if (visualName && !page.visuals.some(({ name }) => name === visualName))
      throw invalidRequest(`The page ${pageName} has no visual ${visualName}`)
    const { name, state } = bookmark ?? defaultBookmark ?? {}
    if (name && !report.definition.bookmarks.some((known) => known.name === name))
      throw invalidRequest(`The report has no bookmark ${name}`)
    return {
      page: pageName,
      ...(visualName && { visual: visualName }),
      ...(state ? { bookmark: { state } } : name ? { bookmark: { name } } : {}),
      filters,
    }
  })
}

const checkFilters = ({ dataset }: Report, filters: Filter[]) => {
  for (const { target } of filters) {
    if (!findColumn(dataset, target))
      throw invalidRequest(`The dataset has no column ${target.table}/${target.column}`)
  }
}
