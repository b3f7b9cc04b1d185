import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { RecordId } from './ids.ts'

/** The periods on offer, in days that end today. */
export const PERFORMANCE_DAYS = [7, 30, 90] as const

/** Milliseconds from the click: half of the views took at most `p50`, 95 of 100 at most `p95`. */
const Times = z.object({ p50: z.number().int(), p95: z.number().int() }).meta({ id: 'LoadTimes' })

const views = {
  visualizacoes: z.number().int(),
  pessoas: z.number().int(),
  /** The report's structure is there. */
  carregado: Times,
  /** Everything is drawn. */
  renderizado: Times,
}

export const ReportPerformance = z
  .object({
    /** Days of America/Sao_Paulo, both included. */
    de: z.iso.date(),
    ate: z.iso.date(),
    /** Of the whole period; null where nobody has opened the report. */
    total: z.object(views).nullable(),
    /** Days with views, the oldest first. */
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
