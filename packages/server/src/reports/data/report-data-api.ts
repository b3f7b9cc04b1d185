import type { ReportFilter } from '@bi-manager/contract'
import { notNumberText } from '@bi-manager/contract/number-text'
import { z } from 'zod'
import { type CallLimits, callProvider, ProviderRefusal, problemOfRefusal } from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'

const filters = z.array(z.looseObject({ target: z.unknown() })).default([])

/** The parts of a report of the local service that describe its data. */
const Definition = z.object({
  name: z.string(),
  filters,
  pages: z.array(
    z.object({
      name: z.string(),
      displayName: z.string(),
      filters,
      visuals: z.array(
        z.object({
          name: z.string(),
          type: z.string(),
          title: z.string(),
          /** None for a visual without rows, such as a text. */
          columns: z.array(z.string()),
          labels: z.record(z.string(), z.string()).default({}),
          format: z.record(z.string(), z.string()).default({}),
          /** Settings of its type; those of a card name its columns. */
          option: z.record(z.string(), z.unknown()).default({}),
        }),
      ),
    }),
  ),
  /** Table → the columns that filters may name. */
  columns: z.record(z.string(), z.array(z.string())),
  /** The clock (IANA) of all instants in the data; none from an older report service. */
  timeZone: z.string().optional(),
})
export type ReportDefinition = z.output<typeof Definition>

const Cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
const Data = z.object({
  visuals: z.record(
    z.string(),
    z
      .object({
        columns: z.array(z.string()),
        /** What each column has, as in the service's `ColumnKind`; empty from an older report service. */
        kinds: z.array(z.string()).default([]),
        rows: z.array(z.array(Cell)),
        truncated: z.boolean(),
        /** Cells that JSON cannot write: row, column and JavaScript's name of the value. */
        notNumbers: z.array(z.tuple([z.int(), z.int(), z.string()])).default([]),
      })
      .transform(({ notNumbers, ...visual }) => {
        for (const [at, column, value] of notNumbers) {
          const row = visual.rows[at]
          if (row) row[column] = notNumberText(Number(value))
        }
        return visual
      }),
  ),
  failures: z.record(z.string(), z.object({ message: z.string() })),
})

/** Whether a column has numbers. Those that no double holds are texts with all their digits. */
export const isNumberKind = (kind: string | undefined): boolean => kind === 'integer' || kind === 'number'

interface Question {
  page: string
  /** All of them apply. */
  filters: readonly object[]
  visuals: readonly string[]
}

/**
 * Reads the rows of a report of the local service as its embed page does: with the embed token of
 * one reader, who gets the rows of their effective identity. Microsoft has no such calls.
 */
export const createReportData = ({ addresses, timeoutMs }: Pick<CallLimits, 'addresses' | 'timeoutMs'>) => {
  const ask = async <S extends z.ZodType>(
    { token, reportId }: { token: string; reportId: string },
    { operation, path = '', body }: { operation: string; path?: string; body?: object },
    answer: S,
  ) => {
    try {
      return await callProvider({
        call: { provider: 'local', operation },
        url: `${addresses.local.api}/embed-api/reports/${encodeURIComponent(reportId)}${path}`,
        init: {
          method: body ? 'POST' : 'GET',
          headers: {
            authorization: `EmbedToken ${token}`,
            ...(body ? { 'content-type': 'application/json' } : {}),
          },
          body: body ? JSON.stringify(body) : null,
        },
        timeoutMs,
        hide: [token],
        answer,
      })
    } catch (error) {
      throw error instanceof ProviderRefusal ? problemOfData(error) : error
    }
  }
  return {
    describe: (report: { token: string; reportId: string }): Promise<ReportDefinition> =>
      ask(report, { operation: 'describeReport' }, Definition),
    read: (report: { token: string; reportId: string }, question: Question) =>
      ask(report, { operation: 'readPage', path: '/data', body: question }, Data),
  }
}

const problemOfData = (refusal: ProviderRefusal): Problem =>
  refusal.status === 400
    ? new Problem('requisicao_invalida', {
        detail: 'O serviço de relatórios não aceitou os filtros. Confira a tabela, a coluna e os valores.',
        cause: refusal,
      })
    : problemOfRefusal(refusal)

/** Returns the filters with which a page opens: the registered ones replace the author's of their column. */
export const openingFilters = (
  { filters: ofReport }: Pick<ReportDefinition, 'filters'>,
  page: Pick<ReportDefinition['pages'][number], 'filters'>,
  registered: readonly ReportFilter[],
): object[] => {
  const replaced = new Set(registered.map(({ target }) => keyOf(target)))
  return [...ofReport.filter(({ target }) => !replaced.has(keyOf(target))), ...registered, ...page.filters]
}

const Target = z.object({ table: z.string(), column: z.string() })

const keyOf = (target: unknown): string => {
  const known = Target.safeParse(target)
  return known.success ? JSON.stringify([known.data.table, known.data.column]) : ''
}
