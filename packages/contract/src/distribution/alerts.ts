import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity } from '../calls/entity.ts'
import { emptyAsNull, requiredLine, requiredParagraph } from '../calls/fields.ts'
import { listQuery, pageQuery } from '../calls/lists.ts'
import { draftTimes, storedTimes } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'
import { PanelChoice } from '../reports/panel-filters.ts'
import { pageField } from '../reports/saved-views.ts'
import { deliveredReport, deliveryDraft, instant, person } from './deliveries.ts'

/** A cell of a visual of the local report service, or the value of a DAX query at Power BI. */
export const AlertSource = z.enum(['VISUAL', 'DAX'])
export type AlertSource = z.infer<typeof AlertSource>

/**
 * `ACIMA`, `ABAIXO`: of the limit. `VARIOU`: by at least the limit since the last notification, or
 * since the alert was made. `AUSENTE`: the row is gone, or its value is empty.
 */
export const AlertCondition = z.enum(['ACIMA', 'ABAIXO', 'VARIOU', 'AUSENTE'])
export type AlertCondition = z.infer<typeof AlertCondition>

export const AlertFrequency = z.enum(['ATUALIZACAO', 'HORA', 'DIARIA', 'DIAS_UTEIS'])
export type AlertFrequency = z.infer<typeof AlertFrequency>

/** Limits per person. */
export const MAX_ALERTS = 50
/** Days for which evaluations are kept. */
export const EVALUATIONS_KEPT_DAYS = 90
/** Rows of a visual that the form offers. */
export const OFFERED_ROWS = 200

/** Letters of a text in the row of an alert. */
export const MAX_CELL_LETTERS = 1_000
/** The value of a cell. */
export const AlertCell = z.union([z.string().max(MAX_CELL_LETTERS), z.number(), z.boolean(), z.null()])
export type AlertCell = z.infer<typeof AlertCell>

const columnName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'Retire os caracteres de controle.')
  .refine((text) => text.isWellFormed(), 'Retire os caracteres que não podem ser gravados.')

const storable = (cell: AlertCell): boolean =>
  typeof cell !== 'string' || (cell.isWellFormed() && !cell.includes('\0'))

/** Column → value: what identifies a row of a visual. */
export const AlertRow = z
  .record(columnName, AlertCell.refine(storable, 'Este valor não pode ser gravado.'))
  .refine((row) => {
    const { length } = Object.keys(row)
    return length > 0 && length <= 20
  }, 'Uma linha é identificada por 1 a 20 colunas.')
  .meta({ id: 'AlertRow' })
export type AlertRow = z.infer<typeof AlertRow>

/** What the report says of a column of a row. */
export const AlertForm = z.object({
  /**
   * What it has, as in the report service's `ColumnKind`. `date` also for moments that are all at
   * midnight. Null from an older report service.
   */
  tipo: z.string().nullable(),
  /** How the author formats it, such as `moeda`. */
  formato: z.string().nullable(),
})
export type AlertForm = z.infer<typeof AlertForm>

/** Column → how its values are written. */
export const AlertForms = z.record(columnName, AlertForm).meta({ id: 'AlertForms' })
export type AlertForms = z.infer<typeof AlertForms>

/** An address that gets each crossing; its host must be in the public Internet. */
const webhookAddress = z
  .string()
  .trim()
  .max(500, 'Use no máximo 500 caracteres.')
  .refine((text) => {
    const url = URL.parse(text)
    return url?.protocol === 'https:' && !url.username && !url.password && text.isWellFormed()
  }, 'Informe um endereço que comece com https://, sem usuário nem senha.')

/** A PUT replaces all fields. */
export const AlertDraft = deliveryDraft(
  'AlertDraft',
  {
    nomeAlerta: requiredLine(120),
    origem: AlertSource.default('VISUAL'),
    /** The names of page and visual at the local service, and the column of the value. */
    pagina: emptyAsNull(pageField).default(null),
    visual: emptyAsNull(pageField).default(null),
    coluna: emptyAsNull(columnName).default(null),
    /** Null: the only row of a card. */
    linha: AlertRow.nullable().default(null),
    filtros: PanelChoice.default({}),
    /** The DAX query, whose result has one row with one column. */
    consulta: emptyAsNull(requiredParagraph(10_000)).default(null),
    condicao: AlertCondition,
    /** Null for `AUSENTE`. */
    limite: z.number('Informe um número.').min(-1e15).max(1e15).nullable().default(null),
    /** For `VARIOU`: the limit is a percentage of the earlier value. */
    percentual: z.boolean().default(false),
    frequencia: AlertFrequency,
    /** Null for `ATUALIZACAO` and `HORA`. */
    horario: draftTimes.horario,
    fuso: draftTimes.fuso,
    porEmail: z.boolean().default(true),
    /** Only an ADMIN names one. */
    webhook: emptyAsNull(webhookAddress).default(null),
    ativo: z.boolean().default(true),
  },
  ({ origem, pagina, visual, coluna, consulta, condicao, limite }, refuse) => {
    if (origem === 'VISUAL') {
      if (pagina === null) refuse('pagina', 'Escolha a página.')
      if (visual === null) refuse('visual', 'Escolha o visual.')
      if (coluna === null) refuse('coluna', 'Escolha a coluna.')
    } else if (origem === 'DAX' && consulta === null) refuse('consulta', 'Escreva a consulta DAX.')
    if (condicao && condicao !== 'AUSENTE' && limite === null) refuse('limite', 'Informe um número.')
    if (condicao === 'VARIOU' && limite !== null && limite <= 0)
      refuse('limite', 'Informe um número maior que zero.')
  },
)
export type AlertDraft = z.infer<typeof AlertDraft>

/** `AGUARDA`: there is no value to compare with yet. `ATINGIDA`: the condition is met. */
export const AlertState = z.enum(['AGUARDA', 'NORMAL', 'ATINGIDA'])
export type AlertState = z.infer<typeof AlertState>

/**
 * `INICIAL`: the first value, with which later ones are compared. `CRUZOU`: the owner was notified.
 * `CONTINUA`: the condition is still met. `SEM_VALOR`: nothing to compare; the state stays.
 * `RECUSADA`: the owner may not see the value any more.
 */
export const AlertOutcome = z.enum([
  'INICIAL',
  'NORMAL',
  'CRUZOU',
  'CONTINUA',
  'SEM_VALOR',
  'FALHOU',
  'RECUSADA',
])
export type AlertOutcome = z.infer<typeof AlertOutcome>

export const AlertChannel = z.enum(['EMAIL', 'WEBHOOK'])
export type AlertChannel = z.infer<typeof AlertChannel>

export const AlertDeliveryState = z.enum(['NA_FILA', 'ENVIADO', 'NAO_ENVIADO', 'FALHOU'])
export type AlertDeliveryState = z.infer<typeof AlertDeliveryState>

export const AlertEvaluation = namedObject('AlertEvaluation', {
  idAvaliacao: z.number().int(),
  em: z.iso.datetime(),
  resultado: AlertOutcome,
  /** Null without a value, and for values that the reader may not see. */
  valor: z.number().nullable(),
  /** The value with which it was compared. */
  anterior: z.number().nullable(),
  /** Why it failed or was refused, in Portuguese. */
  frase: z.string().nullable(),
  duracaoMs: z.number().int(),
  /** What became of the e-mail and the webhook of a crossing. */
  envios: z.array(
    z.object({
      canal: AlertChannel,
      estado: AlertDeliveryState,
      motivo: z.string().nullable(),
      em: z.iso.datetime(),
    }),
  ),
})
export type AlertEvaluation = z.infer<typeof AlertEvaluation>

/** An alert, for its owner and ADMINs. */
export const Alert = namedObject('Alert', {
  idAlerta: z.number().int(),
  nomeAlerta: z.string(),
  /** Null: the person may not see it any more. */
  relatorio: z
    .object({
      ...deliveredReport,
      /** The query of the report's address: the page with the alert's filters. */
      endereco: z.string(),
    })
    .nullable(),
  dono: person,
  origem: AlertSource,
  pagina: z.string().nullable(),
  tituloPagina: z.string().nullable(),
  visual: z.string().nullable(),
  tituloVisual: z.string().nullable(),
  coluna: z.string().nullable(),
  rotuloColuna: z.string().nullable(),
  linha: AlertRow.nullable(),
  /** How the row's columns are written; null: not known until the next evaluation. */
  formas: AlertForms.nullable(),
  filtros: PanelChoice,
  consulta: z.string().nullable(),
  condicao: AlertCondition,
  limite: z.number().nullable(),
  percentual: z.boolean(),
  frequencia: AlertFrequency,
  horario: storedTimes.horario,
  fuso: storedTimes.fuso,
  porEmail: z.boolean(),
  /** The address, for the owner only; its host. */
  webhook: z.string().nullable(),
  hostWebhook: z.string().nullable(),
  ativo: z.boolean(),
  estado: AlertState,
  /** The last value, and when it was read. */
  valor: z.number().nullable(),
  valorEm: instant,
  /** How the report formats the value, such as `moeda`. */
  formato: z.string().nullable(),
  /** Whether row, filters and values are shown: not those that another person's identity selects. */
  mostraValores: z.boolean(),
  /** The failure of the last evaluation, in Portuguese. */
  falha: z.string().nullable(),
  /** Why it is not evaluated although it is active, in Portuguese. */
  impedimento: z.string().nullable(),
  /** When it is evaluated next; null: inactive, or after a refresh. */
  proximaEm: instant,
  versao: z.number().int(),
})
export type Alert = z.infer<typeof Alert>

/** What an alert on a report may be, for the form. */
export const AlertOptions = namedObject('AlertOptions', {
  /** Null: no alert can be made on this report. */
  origem: AlertSource.nullable(),
  /** Why not, in Portuguese. */
  impedimento: z.string().nullable(),
  /** Why the person would get no e-mail, in Portuguese. */
  semEmail: z.string().nullable(),
  /** E-mails have no values: the data are sensitive, or differ for each person. */
  emailSemValores: z.boolean(),
  podeWebhook: z.boolean(),
})
export type AlertOptions = z.infer<typeof AlertOptions>

export const AlertVisual = namedObject('AlertVisual', {
  nome: z.string(),
  titulo: z.string(),
  colunas: z.array(
    AlertForm.extend({
      nome: z.string(),
      rotulo: z.string(),
      /** Whether each of its values is a number or empty. */
      numerica: z.boolean(),
    }),
  ),
  /** Their texts may be too long for the row of an alert. */
  linhas: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  /** There are more rows. */
  cortado: z.boolean(),
})
export type AlertVisual = z.infer<typeof AlertVisual>

/** The values of a page, as the person sees them. */
export const AlertVisuals = namedObject('AlertVisuals', {
  paginas: z.array(z.object({ nome: z.string(), titulo: z.string() })),
  /** The page whose visuals follow. */
  pagina: z.string(),
  visuais: z.array(AlertVisual),
})
export type AlertVisuals = z.infer<typeof AlertVisuals>

/** Signs each call of the webhook; shown once. */
export const AlertSecret = namedObject('AlertSecret', { segredo: z.string() })

export const SavedAlert = namedObject('SavedAlert', {
  alerta: Alert,
  /** The secret of a new webhook; null without one. */
  segredo: z.string().nullable(),
})
export type SavedAlert = z.infer<typeof SavedAlert>

export const AlertOrder = ['nomeAlerta', 'nomeRelatorio', 'nomeDono', 'valorEm'] as const

/** Its page belongs to the account; the audit names it. */
export const alertEntity = entity({
  kind: 'alerta',
  title: 'Alerta',
  list: 'alertas',
  listTitle: 'Lista de alertas',
  path: '/alertas',
  permission: 'alerts:manage',
  table: 'alerta',
  id: 'idAlerta',
  name: 'nomeAlerta',
  actions: {
    'alert.created': 'Criou um alerta',
    'alert.updated': 'Mudou um alerta',
    'alert.deleted': 'Excluiu um alerta',
    'alert.secret-renewed': 'Trocou o segredo do webhook de um alerta',
    'alert.crossed': 'Um alerta foi atingido',
  },
  references: ['idAlerta'],
  fields: {
    nomeAlerta: { label: 'Nome', control: 'text', privacy: 'none' },
    condicao: { label: 'Condição', control: 'choice', privacy: 'none' },
    limite: { label: 'Limite', control: 'text', privacy: 'none' },
    percentual: { label: 'Em porcentagem', control: 'switch', privacy: 'none' },
    frequencia: { label: 'Frequência', control: 'choice', privacy: 'none' },
    horario: { label: 'Horário', control: 'text', privacy: 'none' },
    fuso: { label: 'Fuso horário', control: 'choice', privacy: 'none' },
    porEmail: { label: 'Avisar por e-mail', control: 'switch', privacy: 'none' },
    webhook: { label: 'Webhook', control: 'optionalText', privacy: 'none' },
    ativo: { label: 'Ativo', control: 'switch', privacy: 'none' },
  },
})

const { get, post, put, remove } = callsOf({ tag: 'Alertas', permission: 'reports:view' })
const one = { response: { 200: Alert } }
const saved = { body: AlertDraft }

export const alertsApi = {
  options: get('/usuarios/relatorio/:id/alertas/opcoes', 'O que um alerta deste relatório pode ter', {
    response: { 200: AlertOptions },
  }),
  /** A POST, because filters may be long; it changes nothing. */
  visuals: post(
    '/usuarios/relatorio/:id/alertas/visuais',
    'Os valores de uma página, como a pessoa os vê, para escolher o que vigiar',
    {
      body: namedObject('AlertVisualsQuery', {
        /** Null: the first page. */
        pagina: emptyAsNull(pageField).default(null),
        filtros: PanelChoice.default({}),
      }),
      response: { 200: AlertVisuals },
    },
  ),
  testQuery: post('/usuarios/relatorio/:id/alertas/consulta', 'Testa uma consulta DAX', {
    permission: 'alerts:manage',
    body: namedObject('AlertQueryTest', { consulta: requiredParagraph(10_000) }),
    response: { 200: namedObject('AlertQueryValue', { valor: z.number().nullable() }) },
  }),
  ofReport: get('/usuarios/relatorio/:id/alertas', 'Os próprios alertas de um relatório', {
    response: { 200: z.array(Alert) },
  }),
  create: post('/usuarios/relatorio/:id/alertas', 'Cria um alerta', {
    reauthentication: { if: 'manda os avisos a um webhook' },
    ...saved,
    response: { 201: SavedAlert },
  }),
  own: get('/alertas/meus', 'Os próprios alertas', { response: { 200: z.array(Alert) } }),
  list: get('/alertas', 'Os alertas de todos', {
    permission: 'alerts:manage',
    query: listQuery(AlertOrder),
    response: { 200: z.array(Alert) },
  }),
  get: get('/alertas/:id', 'Um alerta, para quem o criou e para administradores', one),
  update: put('/alertas/:id', 'Muda um alerta próprio', {
    reauthentication: { if: 'manda os avisos a outro webhook' },
    ...saved,
    response: { 200: SavedAlert },
  }),
  setActive: put('/alertas/:id/ativo', 'Pausa ou retoma um alerta', {
    body: namedObject('AlertActive', { ativo: z.boolean() }),
    ...one,
  }),
  renewSecret: post('/alertas/:id/segredo', 'Troca o segredo do webhook de um alerta próprio', {
    permission: 'alerts:manage',
    reauthentication: 'always',
    response: { 200: AlertSecret },
  }),
  remove: remove('/alertas/:id', 'Exclui um alerta e o histórico dele'),
  evaluations: get('/alertas/:id/avaliacoes', 'As avaliações de um alerta, as mais novas primeiro', {
    query: pageQuery,
    response: { 200: z.array(AlertEvaluation) },
  }),
}
