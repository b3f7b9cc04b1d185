import { callsOf, namedObject } from '../calls/endpoint.ts'
import { WEEKDAYS } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'

/** A refresh of a dataset: it reads the rows again from their source. */
export const DatasetRefresh = namedObject('DatasetRefresh', {
  inicio: z.iso.datetime(),
  /** Null while it runs. */
  fim: z.iso.datetime().nullable(),
  /** What started it. */
  tipo: z.enum(['AGENDADA', 'MANUAL', 'API', 'OUTRA']),
  /** `DESCONHECIDA`: it ended, but the provider does not say how. */
  estado: z.enum(['EM_ANDAMENTO', 'CONCLUIDA', 'FALHOU', 'CANCELADA', 'DESATIVADA', 'DESCONHECIDA']),
  /** Why it failed and what to do, in Portuguese. */
  causa: z.string().nullable(),
  /** The provider's error code. */
  codigo: z.string().nullable(),
})
export type DatasetRefresh = z.infer<typeof DatasetRefresh>

/** How recent the rows of a report are, and whether the person may refresh them. */
export const DataFreshness = namedObject('DataFreshness', {
  /**
   * When the last completed refresh of the dataset ended; null when the provider does not say, as
   * for a dataset that is queried at its source.
   */
  atualizadosEm: z.iso.datetime().nullable(),
  /** The newest refresh, which may be in progress. */
  ultima: DatasetRefresh.pick({ inicio: true, estado: true }).nullable(),
  podeAtualizar: z.boolean(),
  /** Refreshes that started in the last 24 hours, whatever started them. */
  nasUltimas24h: z.number().int(),
  /** The provider's limit for 24 hours where there is no capacity of one's own; null for none. */
  limiteDiario: z.number().int().nullable(),
  /** Open threads of comments on the report; part of this call, so that it costs none of its own. */
  comentariosAbertos: z.number().int(),
})
export type DataFreshness = z.infer<typeof DataFreshness>

/** How many refreshes a person may ask for within an hour. */
export const MAX_REFRESHES_PER_HOUR = 6

/** A person who may refresh the data of a report without being an administrator. */
export const DataRefresher = namedObject('DataRefresher', {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
})
export type DataRefresher = z.infer<typeof DataRefresher>

/** When the provider refreshes a dataset by itself. */
export const RefreshSchedule = namedObject('RefreshSchedule', {
  ativa: z.boolean(),
  dias: z.array(z.enum(WEEKDAYS)),
  /** `08:00`, in `fuso`. */
  horarios: z.array(z.string()),
  /** A name for the screen, such as 'horário de Brasília'. */
  fuso: z.string(),
})
export type RefreshSchedule = z.infer<typeof RefreshSchedule>

const { get, post, put, remove } = callsOf({ tag: 'Dados dos relatórios', permission: 'reports:view' })

export const dataFreshnessApi = {
  get: get('/usuarios/relatorio/:id/dados', 'De quando são os dados de um relatório', {
    response: { 200: DataFreshness },
  }),
  refreshes: get(
    '/usuarios/relatorio/:id/dados/atualizacoes',
    'As últimas atualizações dos dados de um relatório, as mais novas primeiro',
    { permission: 'reports:manage', response: { 200: z.array(DatasetRefresh) } },
  ),
  schedule: get('/usuarios/relatorio/:id/dados/agenda', 'Quando o serviço de BI atualiza os dados sozinho', {
    permission: 'reports:manage',
    response: { 200: RefreshSchedule },
  }),
  start: post('/usuarios/relatorio/:id/dados/atualizacoes', 'Pede ao serviço de BI que atualize os dados'),
  refreshers: get(
    '/usuarios/relatorio/:id/dados/autorizados',
    'Quem, além dos administradores, pode atualizar os dados de um relatório que vê',
    { permission: 'grants:manage', response: { 200: z.array(DataRefresher) } },
  ),
  allow: put(
    '/usuarios/relatorio/:id/dados/autorizados/:idUsuario',
    'Deixa uma pessoa atualizar os dados do relatório',
    { permission: 'grants:manage' },
  ),
  disallow: remove(
    '/usuarios/relatorio/:id/dados/autorizados/:idUsuario',
    'Não deixa mais a pessoa atualizar os dados do relatório',
    { permission: 'grants:manage' },
  ),
}
