import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { RecordId } from './ids.ts'

/** The offered periods, in days up to today. */
export const PERFORMANCE_DAYS = [7, 30, 90] as const

/** Median and 95th percentile of the load times, in ms from the click. */
const Times = z.object({ p50: z.number().int(), p95: z.number().int() }).meta({ id: 'LoadTimes' })

const views = {
  visualizacoes: z.number().int(),
  pessoas: z.number().int(),
  /** The report's structure is loaded. */
  carregado: Times,
  /** Everything is rendered. */
  renderizado: Times,
}

export const ReportPerformance = z
  .object({
    /** Days in America/Sao_Paulo, both inclusive. */
    de: z.iso.date(),
    ate: z.iso.date(),
    /** The whole period; null if the report was not opened. */
    total: z.object(views).nullable(),
    /** Days with views, oldest first. */
    porDia: z.array(z.object({ dia: z.iso.date(), ...views })),
  })
  .meta({ id: 'ReportPerformance' })
export type ReportPerformance = z.infer<typeof ReportPerformance>

export const reportPerformanceApi = {
  get: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/desempenho',
    permission: 'reports:manage',
    tag: 'Relatórios',
    summary: 'Tempos de carga de um relatório por dia, e de todo o período',
    params: z.object({ id: RecordId }),
    query: z.object({
      dias: z.coerce
        .number<number | string>()
        .pipe(z.literal(PERFORMANCE_DAYS))
        .default(30)
        .meta({ description: '7, 30 ou 90.' }),
    }),
    response: { 200: ReportPerformance },
  }),
}
