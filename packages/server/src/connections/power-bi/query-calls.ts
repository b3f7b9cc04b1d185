import { z } from 'zod'
import { Problem } from '../../platform/lib/problem.ts'
import { type ProviderRefusal, problemOfRefusal } from './provider-call.ts'

const Row = z.record(z.string(), z.unknown())

/** The rows of the only table of the only query; a failed query answers 200 with an error. */
export const QueryResult = z
  .object({
    results: z
      .array(
        z.object({
          tables: z.array(z.object({ rows: z.array(Row).nullish() })).nullish(),
          error: z.unknown().optional(),
        }),
      )
      .nullish(),
    error: z.unknown().optional(),
  })
  .transform(({ results, error }) => {
    const [result] = results ?? []
    return { isRefused: !!(error ?? result?.error), rows: result?.tables?.[0]?.rows ?? [] }
  })

/** Maps the refusal of a DAX query to the problem that its author sees. */
export const problemOfQueryRefusal = (refusal: ProviderRefusal): Problem => {
  const problem = problemOfRefusal(refusal)
  return refusal.status === 400 && problem.codigo === 'bi_resposta_invalida'
    ? new Problem('consulta_recusada', { cause: refusal })
    : problem
}
