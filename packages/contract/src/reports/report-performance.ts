import { callsOf, namedObject } from '../calls/endpoint.ts'
import { z } from '../calls/zod.ts'

/** The offered periods, in days up to today. */
export const PERFORMANCE_DAYS = [7, 30, 90] as const

/** Median and 95th percentile of the load times, in ms from the click. */
const Times = namedObject('LoadTimes', { p50: z.number().int(), p95: z.number().int() })

const views = {
  visualizacoes: z.number().int(),
  pessoas: z.number().int(),
  /** The report's structure is loaded. */
  carregado: Times,
  /** Everything is rendered. */
  renderizado: Times,
}

export const ReportPerformance = namedObject('ReportPerformance', {
  /** Days in America/Sao_Paulo, both inclusive. */
  de: z.iso.date(),
  ate: z.iso.date(),
  /** The whole period; null if the report was not opened. */
  total: z.object(views).nullable(),
  /** Days with views, oldest first. */
  porDia: z.array(z.object({ dia: z.iso.date(), ...views })),
})
export type ReportPerformance = z.infer<typeof ReportPerformance>

const { get } = callsOf({ tag: 'Relatórios', permission: 'reports:manage' })

export const reportPerformanceApi = {
  get: get(
    '/usuarios/relatorio/:id/desempenho',
    'Tempos de carga de um relatório por dia, e de todo o período',
    {
      query: z.object({
        dias: z.coerce
          .number<number | string>()
          .pipe(z.literal(PERFORMANCE_DAYS))
          .default(30)
          .meta({ description: '7, 30 ou 90.' }),
      }),
      response: { 200: ReportPerformance },
    },
  ),
}
