import { MAX_POINT_PEOPLE, type ReportPoint } from '@bi-manager/contract'
import { z } from 'zod'
import {
  type CallLimits,
  type Connection,
  createConnectionCalls,
  type DatasetIdentity,
  type EntraTokens,
  type ProviderRefusal,
  problemOfRefusal,
} from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'

const Behind = z.object({
  ids: z.array(z.string().max(2_001)).max(MAX_POINT_PEOPLE),
  more: z.number().int().min(0),
})

export type PointApi = ReturnType<typeof createPointApi>

/** Asks the local report service what is behind a data point. Microsoft has no such call. */
export const createPointApi = (limits: CallLimits & { tokens: EntraTokens }) => {
  const { call } = createConnectionCalls(limits)
  return {
    /** Returns the plan ids of the beneficiaries behind a point, in the identity's rows. */
    listBeneficiaries: (
      connection: Connection,
      { groupId, reportId }: { groupId: string; reportId: string },
      { point, identities }: { point: ReportPoint; identities: DatasetIdentity[] },
    ) =>
      call(
        connection,
        {
          operation: 'listBeneficiaries',
          path: `/groups/${encodeURIComponent(groupId)}/reports/${encodeURIComponent(reportId)}/beneficiaries`,
          body: { point, identities },
        },
        Behind,
        problemOfPoint,
      ),
  }
}

/** The report may have changed since it was drawn, and an older service has no such call. */
const problemOfPoint = (refusal: ProviderRefusal): Problem =>
  refusal.status === 400 || refusal.status === 404
    ? new Problem('ponto_sem_beneficiarios', { cause: refusal })
    : problemOfRefusal(refusal)
