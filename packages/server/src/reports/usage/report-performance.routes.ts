import { reportPerformanceApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { readPerformance, reportExists } from './report-performance.repository.ts'

export const reportPerformanceRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  serve(
    app,
    reportPerformanceApi.get,
    async ({ params, query: { dias } }) => {
      const ate = dayOf(now())
      const de = dayBefore(ate, dias - 1)
      return { de, ate, ...(await readPerformance(db, params.id, de)) }
    },
    {
      authorize: async ({ id }) => {
        if (!(await reportExists(db, id))) throw new Problem('nao_encontrado')
      },
    },
  )
}

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
