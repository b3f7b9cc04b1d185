import { callsOf, namedObject } from '../calls/endpoint.ts'
import { EntityId } from '../calls/ids.ts'
import { z } from '../calls/zod.ts'
import { Beneficiary } from './beneficiaries.ts'

const filters = (most: number) => z.array(z.record(z.string(), z.unknown())).max(most)

/**
 * A data point as the embed page of the local report service describes it, in that service's
 * words. The service checks its filters with the grammar of all filters; the identity is never
 * part of it.
 */
export const ReportPoint = namedObject('ReportPoint', {
  page: z.string().min(1).max(100),
  visual: z.string().min(1).max(100),
  filters: filters(20).default([]),
  point: filters(6).default([]),
  selection: z.object({ visual: z.string().max(100), filters: filters(6) }).optional(),
  drill: z
    .array(z.union([z.string().max(2_001), z.number(), z.boolean(), z.null()]))
    .max(5)
    .default([]),
})
export type ReportPoint = z.output<typeof ReportPoint>

/** People that one answer lists: no single call may return all patients. */
export const MAX_POINT_PEOPLE = 500

export const PointBeneficiaries = namedObject('PointBeneficiaries', {
  /** Ordered by name; at most MAX_POINT_PEOPLE. */
  beneficiarios: z.array(Beneficiary),
  /** Ids behind the point that are not registered in the portal. */
  naoCadastrados: z.number().int(),
  /** Further ids behind the point, beyond those that one answer looks up. */
  naoListados: z.number().int(),
})
export type PointBeneficiaries = z.infer<typeof PointBeneficiaries>

const { post } = callsOf({ tag: 'Beneficiários', permission: 'records:access' })

export const pointBeneficiariesApi = {
  list: post(
    '/usuarios/relatorio/:id/beneficiarios',
    'Beneficiários por trás de um ponto de um relatório, com a finalidade em X-Finalidade (obrigatória)',
    {
      params: z.object({ id: EntityId }),
      body: z.object({ ponto: ReportPoint }),
      response: { 200: PointBeneficiaries },
    },
  ),
}
