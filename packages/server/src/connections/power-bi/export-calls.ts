import type { ExportFormat } from '@bi-manager/contract'
import { z } from 'zod'
import type { SheetBrand } from '../../platform/brand/brand.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { DatasetIdentity, EffectiveIdentity } from './effective-identity.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

/** Maps the refusal of an export to the problem that the user sees. */
export const problemOfExportRefusal = (refusal: ProviderRefusal): Problem => {
  const { status, message } = refusal
  const isPaused = /CapacityNotActive|paused/i.test(message)
  const isUnsupported =
    status === 405 || status === 501 || /not ?supported|unsupported|not ?available|premium/i.test(message)
  if (isUnsupported && !isPaused && status !== 429)
    return new Problem('exportacao_nao_suportada', { cause: refusal })
  const problem = problemOfRefusal(refusal)
  // The request carries the user's choice: a page or filters of a report that has since changed.
  return status === 400 && problem.codigo === 'bi_resposta_invalida'
    ? new Problem('exportacao_recusada', { cause: refusal })
    : problem
}

/** The provider deletes an export after some hours. */
export const problemOfMissingExport = (refusal: ProviderRefusal): Problem =>
  refusal.status === 404 || refusal.status === 410
    ? new Problem('exportacao_inexistente', { cause: refusal })
    : problemOfRefusal(refusal)

/* Requests and answers of ExportTo. */

/** What a file of the local service contains; Microsoft does not say. */
const ExportContentFacts = z.object({
  /** Visuals whose data could not be read. */
  failedVisuals: z.number().int(),
  /** Rows of all visuals. */
  rows: z.number().int(),
  /** Digest of the rows of all visuals. */
  digest: z.string().regex(/^[\w-]{1,100}$/),
})

/** Microsoft omits `percentComplete` in the first answer. */
export const ExportJob = z
  .object({
    id: z.string().regex(/^[\w+/=-]{1,1000}$/),
    status: z.enum(['Undefined', 'NotStarted', 'Running', 'Succeeded', 'Failed']),
    percentComplete: z
      .number()
      .min(0)
      .max(100)
      .nullish()
      .transform((percent) => percent ?? 0),
    /** Why a job failed. Microsoft does not document it, so its message is not shown to users. */
    error: z
      .object({ code: z.string().regex(/^[\w.-]{1,80}$/) })
      .optional()
      .catch(undefined),
    '@biManager.content': ExportContentFacts.optional().catch(undefined),
  })
  .transform(({ '@biManager.content': content, ...job }) => ({ ...job, content }))

/** What a file contains, and for which identity. */
export type ExportContent =
  | {
      type: 'INTERATIVO'
      /** One page; undefined for all. */
      pageName: string | undefined
      /** The state of a bookmark. */
      bookmark: string | undefined
      /** Visuals of the page; empty for all. */
      visualNames: readonly string[]
      /** A filter expression; Microsoft accepts one. */
      filter: string | undefined
      identities: DatasetIdentity[]
    }
  | {
      type: 'PAGINADO'
      parameters: { name: string; value: string }[]
      identity: EffectiveIdentity | undefined
    }

export type ExportOrder = ExportContent & {
  format: ExportFormat
  /** A digest of the user: the local service alternates the exports of different users. */
  requestedFor: string
  /** Drawn by the local service; sent nowhere else. */
  brand?: SheetBrand | undefined
  /** For whom a spreadsheet of the local service is, as it says; sent nowhere else. */
  person?: string | undefined
}

/** Returns the fields that Microsoft would refuse. */
export const localExportFields = ({ format, brand, person }: ExportOrder) => {
  if (format === 'XLSX') return person ? { '@biManager.person': person } : {}
  return brand ? { '@biManager.brand': brand } : {}
}

export const exportBody = (order: ExportOrder) => {
  const { format } = order
  if (order.type === 'PAGINADO') {
    const { parameters, identity } = order
    // A paginated report is exported for one identity, which names no datasets.
    const identities = identity ? { identities: [identity] } : {}
    const parameterValues = parameters.length > 0 ? { parameterValues: parameters } : {}
    return { format, paginatedReportConfiguration: { ...parameterValues, ...identities } }
  }
  const { pageName, visualNames, bookmark, filter, identities } = order
  const state = bookmark ? { state: bookmark } : undefined
  const page = { pageName, ...(state ? { bookmark: state } : {}) }
  return {
    format,
    powerBIReportConfiguration: {
      settings: { locale: 'pt-BR' },
      ...(pageName
        ? {
            pages:
              visualNames.length > 0 ? visualNames.map((visualName) => ({ ...page, visualName })) : [page],
          }
        : {}),
      ...(state && !pageName ? { defaultBookmark: state } : {}),
      ...(filter ? { reportLevelFilters: [{ filter }] } : {}),
      ...(identities.length > 0 ? { identities } : {}),
    },
  }
}
