import { callsOf, namedObject } from '../calls/endpoint.ts'
import { requiredLine } from '../calls/fields.ts'
import { listQuery, pageQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'

/** The offered periods, in days up to today. */
export const USAGE_DAYS = [7, 30, 90, 365] as const

/** What usage is summed by. */
export const UsageGrouping = z.enum(['relatorio', 'workspace', 'pessoa', 'perfil'])
export type UsageGrouping = z.infer<typeof UsageGrouping>

/** What people do inside reports; kept without the person. */
export const UsageDetailKind = z.enum(['pagina', 'filtro', 'exportacao', 'erro'])
export type UsageDetailKind = z.infer<typeof UsageDetailKind>

/** Returns the name, without '.csv', of a file of sums or details. */
export const usageFile = (by: UsageGrouping | UsageDetailKind | 'periodo', days: number): string =>
  `uso-por-${by}-${days}-dias`

const sums = {
  visualizacoes: z.number().int(),
  /** Opened pages of reports. */
  paginas: z.number().int(),
  erros: z.number().int(),
  /** Median and 95th percentile of the time to rendered, in ms; null without views. */
  p50: z.number().int().nullable(),
  p95: z.number().int().nullable(),
}

export const UsageSummary = namedObject('UsageSummary', {
  /** Days in America/Sao_Paulo, both inclusive. */
  de: z.iso.date(),
  ate: z.iso.date(),
  ...sums,
  leitores: z.number().int(),
  /** Whether views from before the upgrade are still missing. */
  incompleto: z.boolean(),
  /** Whether the rows of `serie` are months. */
  porMes: z.boolean(),
  /** Days, or months by their first day, with use; oldest first. */
  serie: z.array(
    z.object({
      inicio: z.iso.date(),
      visualizacoes: z.number().int(),
      leitores: z.number().int(),
      erros: z.number().int(),
    }),
  ),
})
export type UsageSummary = z.infer<typeof UsageSummary>

export const UsageRow = namedObject('UsageRow', {
  id: z.number().int(),
  /** 'Relatório nº 7 (excluído)' when the record no longer exists. */
  nome: z.string(),
  /** The workspace of a report, the e-mail of a person. */
  detalhe: z.string().nullable(),
  ...sums,
  /** Distinct people; for a person: distinct reports. */
  leitores: z.number().int(),
})
export type UsageRow = z.infer<typeof UsageRow>

export const UsageOrder = ['nome', 'visualizacoes', 'leitores', 'paginas', 'erros', 'p95'] as const

/** A report that no one viewed for some days, and that is not newer than that. */
export const UnusedReport = namedObject('UnusedReport', {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  nomeGrupo: z.string(),
  /** The last day with a view; null when none is known. */
  ultimo: z.iso.date().nullable(),
  /** People who may view it, besides administrators. */
  liberadoPara: z.number().int(),
})
export type UnusedReport = z.infer<typeof UnusedReport>

export const NeverSignedIn = namedObject('NeverSignedIn', {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  emailUsuario: z.string(),
  situacao: z.enum(['ATIVO', 'PENDENTE', 'BLOQUEADO']),
})
export type NeverSignedIn = z.infer<typeof NeverSignedIn>

export const UsageDetail = namedObject('UsageDetail', {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  /** The page, the table and column, the format, or the error's code. */
  nome: z.string(),
  vezes: z.number().int(),
})
export type UsageDetail = z.infer<typeof UsageDetail>

export const OwnUsage = namedObject('OwnUsage', {
  de: z.iso.date(),
  ate: z.iso.date(),
  ...sums,
  relatorios: z.array(
    z.object({
      idRelatorio: z.number().int(),
      nomeRelatorio: z.string(),
      nomeGrupo: z.string(),
      visualizacoes: z.number().int(),
      ultima: z.iso.datetime(),
    }),
  ),
})
export type OwnUsage = z.infer<typeof OwnUsage>

const errorCode = /^[\w.-]{1,80}$/

/** Events of one call. */
export const MAX_USAGE_EVENTS = 50

export const UsageEvents = namedObject('UsageEvents', {
  eventos: z
    .array(
      z
        .object({
          tipo: z.enum(['pagina', 'filtro', 'erro']),
          /** Names only; a filter's value is never sent. */
          nome: requiredLine(200),
        })
        // A message in place of a code could quote values.
        .refine(({ tipo, nome }) => tipo !== 'erro' || errorCode.test(nome), {
          path: ['nome'],
          message: 'Informe o código do erro: letras, números, ponto, hífen e sublinhado.',
        }),
    )
    .min(1)
    .max(MAX_USAGE_EVENTS),
})
export type UsageEvents = z.infer<typeof UsageEvents>

const period = {
  dias: z.coerce
    .number<number | string>()
    .pipe(z.literal(USAGE_DAYS))
    .default(30)
    .meta({ description: '7, 30, 90 ou 365; 365 são o mês atual e os 11 anteriores.' }),
}
const groupQuery = listQuery(UsageOrder).extend({ ...period, por: UsageGrouping.default('relatorio') })
const unusedQuery = pageQuery.extend({
  dias: z.coerce.number<number | string>().int().min(1).max(3_650).default(30),
})
const detailQuery = pageQuery.extend({ ...period, tipo: UsageDetailKind.default('filtro') })
const notPaged = { pagina: true, tamanho: true } as const
const csv = { contentType: 'text/csv' } as const

const { get } = callsOf({ tag: 'Uso', permission: 'usage:read' })
const own = callsOf({ tag: 'Uso', permission: 'account:own' })
const viewing = callsOf({ tag: 'Uso', permission: 'reports:view' })

export const usageApi = {
  summary: get('/uso/resumo', 'Uso dos relatórios no período, no total e por dia ou mês', {
    query: z.object(period),
    response: { 200: UsageSummary },
  }),
  summaryCsv: get('/uso/resumo.csv', 'Uso dos relatórios por dia ou mês do período, em CSV', {
    query: z.object(period),
    ...csv,
  }),
  list: get('/uso/lista', 'Uso por relatório, workspace, pessoa ou perfil', {
    query: groupQuery,
    response: { 200: z.array(UsageRow) },
  }),
  listCsv: get('/uso/lista.csv', 'Uso por relatório, workspace, pessoa ou perfil, em CSV', {
    query: groupQuery.omit(notPaged),
    ...csv,
  }),
  unused: get('/uso/sem-uso', 'Relatórios que ninguém abre há alguns dias', {
    query: unusedQuery,
    response: { 200: z.array(UnusedReport) },
  }),
  unusedCsv: get('/uso/sem-uso.csv', 'Relatórios que ninguém abre há alguns dias, em CSV', {
    query: unusedQuery.omit(notPaged),
    ...csv,
  }),
  neverSignedIn: get('/uso/nunca-entraram', 'Pessoas que nunca entraram', {
    query: pageQuery,
    response: { 200: z.array(NeverSignedIn) },
  }),
  neverSignedInCsv: get('/uso/nunca-entraram.csv', 'Pessoas que nunca entraram, em CSV', csv),
  details: get('/uso/detalhes', 'Páginas, filtros, exportações ou erros mais frequentes', {
    query: detailQuery,
    response: { 200: z.array(UsageDetail) },
  }),
  detailsCsv: get('/uso/detalhes.csv', 'Páginas, filtros, exportações ou erros mais frequentes, em CSV', {
    query: detailQuery.omit(notPaged),
    ...csv,
  }),
  own: own.get('/uso/meu', 'O próprio uso', { query: z.object(period), response: { 200: OwnUsage } }),
  ownCsv: own.get('/uso/meu.csv', 'O próprio uso em CSV', { query: z.object(period), ...csv }),
  recordEvents: viewing.post(
    '/usuarios/relatorio/:id/uso',
    'Soma páginas abertas, filtros usados e erros de um relatório',
    { body: UsageEvents },
  ),
}
