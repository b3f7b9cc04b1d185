import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity } from '../calls/entity.ts'
import {
  emptyAsNull,
  idField,
  idList,
  nullableLine,
  requiredLine,
  requiredParagraph,
} from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { listQuery, pageQuery } from '../calls/lists.ts'
import { draftTimes, storedTimes } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'
import { ReportType } from '../connections/report-type.ts'
import { PanelChoice } from '../reports/panel-filters.ts'
import { reportParameters } from '../reports/report-parameters.ts'
import { bookmarkField, pageField } from '../reports/saved-views.ts'
import { deliveredReport, deliveryDraft, instant, person } from './deliveries.ts'

/** The file of a subscription: a PNG is shown in the e-mail, the others are attached. */
export const SubscriptionFormat = z.enum(['PDF', 'PNG', 'XLSX'])
export type SubscriptionFormat = z.infer<typeof SubscriptionFormat>

export const SubscriptionFrequency = z.enum(['DIARIA', 'DIAS_UTEIS', 'SEMANAL', 'MENSAL', 'ATUALIZACAO'])
export type SubscriptionFrequency = z.infer<typeof SubscriptionFrequency>

/** `LINK`: the e-mail has no data, only a link that requires sign-in. */
export const SubscriptionDelivery = z.enum(['LINK', 'ANEXO'])
export type SubscriptionDelivery = z.infer<typeof SubscriptionDelivery>

/** Limits per person, and per subscription. */
export const MAX_SUBSCRIPTIONS = 50
export const MAX_RECIPIENTS = 1_000
export const MAX_SUBSCRIPTION_PROFILES = 50
/** Visuals of a spreadsheet: the limit of ExportTo. */
export const MAX_SUBSCRIBED_VISUALS = 50
/** 'Enviar agora': how many a person may ask for within an hour. */
export const MAX_SUBSCRIPTION_TESTS_PER_HOUR = 10

/** A visual whose rows a spreadsheet has. */
export const SubscribedVisual = namedObject('SubscribedVisual', {
  /** Its name at the provider. */
  nome: pageField,
  /** Its title when it was chosen. */
  titulo: requiredLine(200),
})
export type SubscribedVisual = z.infer<typeof SubscribedVisual>

const visualsField = z
  .array(SubscribedVisual)
  .max(MAX_SUBSCRIBED_VISUALS, `Escolha no máximo ${MAX_SUBSCRIBED_VISUALS} visuais.`)
  .refine(
    (visuals) => new Set(visuals.map(({ nome }) => nome)).size === visuals.length,
    'Cada visual pode ser escolhido só uma vez.',
  )
  .default([])

/** What is sent: a page or the whole report, with these filters. */
const contentFields = {
  /** The page's name at the provider; null: the whole report. A PNG is of a page. */
  pagina: emptyAsNull(pageField).default(null),
  /** The page's title when it was chosen. */
  tituloPagina: nullableLine(200).default(null),
  /** Of the page, for an XLSX; empty: all visuals with data of the page or of the whole report. */
  visuais: visualsField,
  /**
   * A saved view of the owner, whose page, filters and bookmark apply, also after it changes. Once
   * it is deleted, its last ones apply.
   */
  idVisao: idField().nullable().default(null),
  filtros: PanelChoice.default({}),
  marcador: emptyAsNull(bookmarkField).default(null),
  /** The values that the owner chose for the parameters of a paginated report. */
  parametros: reportParameters.default([]),
}

/** A PUT replaces all fields. */
export const SubscriptionDraft = deliveryDraft(
  'SubscriptionDraft',
  {
    /** The e-mail's subject, and the name of the subscription. */
    assunto: requiredLine(120),
    nota: emptyAsNull(requiredParagraph(1_000)).default(null),
    ...contentFields,
    formato: SubscriptionFormat,
    entrega: SubscriptionDelivery.default('LINK'),
    frequencia: SubscriptionFrequency,
    ...draftTimes,
    /** Sends nothing when no visual has a row. Only the local service can tell. */
    pulaVazio: z.boolean().default(false),
    /** Sends nothing when the data are those of the last e-mail. */
    pulaInalterado: z.boolean().default(false),
    ativa: z.boolean().default(true),
    /** Only an ADMIN names others. Neither people nor profiles: the owner is the recipient. */
    idPessoas: idList(MAX_RECIPIENTS).default([]),
    idPerfis: idList(MAX_SUBSCRIPTION_PROFILES).default([]),
  },
  ({ formato, pagina, idVisao, visuais }, refuse) => {
    if (formato === 'PNG' && pagina === null && idVisao === null)
      refuse('pagina', 'Uma imagem PNG é de uma página: informe qual.')
    if (!Array.isArray(visuais) || visuais.length === 0) return
    if (formato !== 'XLSX') refuse('visuais', 'Só uma planilha (XLSX) aceita visuais escolhidos.')
    else if (idVisao !== null)
      refuse('visuais', 'A página de uma visão salva pode mudar: deixe a planilha com todos os visuais dela.')
    else if (pagina === null) refuse('visuais', 'Os visuais são de uma página: informe qual.')
  },
)
export type SubscriptionDraft = z.infer<typeof SubscriptionDraft>

/**
 * `NAO_ENVIADA`: nothing was sent on purpose, such as for data older than their schedule.
 * `PARCIAL`: some recipients were skipped or their e-mail failed.
 */
export const SubscriptionRunState = z.enum(['EM_ANDAMENTO', 'CONCLUIDA', 'PARCIAL', 'NAO_ENVIADA', 'FALHOU'])
export type SubscriptionRunState = z.infer<typeof SubscriptionRunState>

/** What began a run. */
export const SubscriptionRunCause = z.enum(['AGENDA', 'ATUALIZACAO', 'TESTE'])
export type SubscriptionRunCause = z.infer<typeof SubscriptionRunCause>

export const SubscriptionRun = namedObject('SubscriptionRun', {
  idExecucao: z.number().int(),
  causa: SubscriptionRunCause,
  estado: SubscriptionRunState,
  /** When it was due, and when it began; a run that waits for its turn has not begun. */
  previstaEm: z.iso.datetime(),
  iniciadaEm: instant,
  terminadaEm: instant,
  /** What happened and what to do; null while it is in progress and when all went well. */
  frase: z.string().nullable(),
  /** When the data were last refreshed; null when the provider does not say. */
  dadosDe: instant,
  /** How often its work was begun again, after a failure or a stop of the portal. */
  repeticoes: z.number().int(),
  destinatarios: z.number().int(),
  enviadas: z.number().int(),
  puladas: z.number().int(),
  falhas: z.number().int(),
})
export type SubscriptionRun = z.infer<typeof SubscriptionRun>

/**
 * `PENDENTE`: waits for its file. `NA_FILA`: the e-mail waits to be sent. `ENVIADA`: the mail server
 * has accepted it. `PULADA`: not sent on purpose, such as to a person who lost the permission.
 */
export const SubscriptionMailState = z.enum(['PENDENTE', 'NA_FILA', 'ENVIADA', 'PULADA', 'FALHOU'])
export type SubscriptionMailState = z.infer<typeof SubscriptionMailState>

/** The e-mail of one recipient in a run. */
export const SubscriptionMail = namedObject('SubscriptionMail', {
  idUsuario: z.number().int(),
  nomeUsuario: z.string(),
  estado: SubscriptionMailState,
  /** Why it was skipped or failed, or a remark such as a link instead of a large file. */
  motivo: z.string().nullable(),
  /** When it came into this state. */
  em: z.iso.datetime(),
})
export type SubscriptionMail = z.infer<typeof SubscriptionMail>

export const SubscribedReport = namedObject('SubscribedReport', {
  ...deliveredReport,
  tipoRelatorio: ReportType,
})
export type SubscribedReport = z.infer<typeof SubscribedReport>

/** A subscription, for its owner and ADMINs. */
export const Subscription = namedObject('Subscription', {
  idAssinatura: z.number().int(),
  /** Null: the person may not see it any more. */
  relatorio: SubscribedReport.nullable(),
  assunto: z.string(),
  nota: z.string().nullable(),
  pagina: z.string().nullable(),
  tituloPagina: z.string().nullable(),
  visuais: z.array(SubscribedVisual),
  idVisao: z.number().int().nullable(),
  /** The name of the saved view. */
  nomeVisao: z.string().nullable(),
  filtros: PanelChoice,
  marcador: z.string().nullable(),
  parametros: z.array(z.string()),
  /**
   * Whether the viewer sees view, filters, bookmark and parameters: not another person's of a report
   * with rows of each person. Otherwise they are empty, and only the owner changes or tests it.
   */
  mostraEscolha: z.boolean(),
  formato: SubscriptionFormat,
  entrega: SubscriptionDelivery,
  frequencia: SubscriptionFrequency,
  ...storedTimes,
  pulaVazio: z.boolean(),
  pulaInalterado: z.boolean(),
  ativa: z.boolean(),
  dono: person,
  pessoas: z.array(person),
  perfis: z.array(z.object({ idPerfil: z.number().int(), nomePerfil: z.string() })),
  /** People and members of profiles without those who unsubscribed. */
  destinatarios: z.number().int(),
  /** Who unsubscribed. */
  sairam: z.array(person),
  /** When it runs next; null: inactive, or after a refresh. */
  proximaEm: instant,
  /** The newest run that was no test. */
  ultima: SubscriptionRun.nullable(),
  /** Why it does not run although it is active, in Portuguese. */
  impedimento: z.string().nullable(),
  versao: z.number().int(),
})
export type Subscription = z.infer<typeof Subscription>

/** What a subscription to a report may be, for the form. */
export const SubscriptionOptions = namedObject('SubscriptionOptions', {
  /** What the provider can make now. */
  formatos: z.array(SubscriptionFormat),
  /** False while the report service does not answer: then it makes no format. */
  servicoResponde: z.boolean(),
  /** Null: allowed. Otherwise why the e-mail may only have a link, in Portuguese. */
  semAnexo: z.string().nullable(),
  /** Whether the provider can tell that a report is empty. */
  sabeVazio: z.boolean(),
  /** Whether the provider tells when the data were refreshed. */
  sabeAtualizacao: z.boolean(),
  /** Why the person would get no e-mail, in Portuguese: the domain, or an unconfirmed e-mail. */
  impedimento: z.string().nullable(),
  /** Megabytes of the largest attachment; a larger file becomes a link. */
  anexoMb: z.number().int(),
})
export type SubscriptionOptions = z.infer<typeof SubscriptionOptions>

export const SubscriptionOrder = ['assunto', 'nomeRelatorio', 'nomeDono', 'proximaEm'] as const

/** Its pages belong to the viewer and the account; the audit names it. */
export const subscriptionEntity = entity({
  kind: 'assinatura',
  title: 'Assinatura',
  list: 'assinaturas',
  listTitle: 'Lista de assinaturas',
  path: '/assinaturas',
  permission: 'subscriptions:manage',
  table: 'assinatura',
  id: 'idAssinatura',
  name: 'assunto',
  actions: {
    'subscription.created': 'Criou uma assinatura',
    'subscription.updated': 'Mudou uma assinatura',
    'subscription.deleted': 'Excluiu uma assinatura',
    'subscription.tested': 'Mandou enviar uma assinatura a si',
    'subscription.run': 'Uma assinatura foi executada',
    'subscription.choice-read': 'Abriu um relatório com os filtros de uma assinatura recebida',
    'subscription.left': 'Saiu de uma assinatura',
    'subscription.returned': 'Voltou a uma assinatura',
  },
  references: ['idAssinatura'],
  fields: {
    assunto: { label: 'Assunto', control: 'text', privacy: 'none' },
    nota: { label: 'Nota', control: 'optionalText', privacy: 'none' },
    formato: { label: 'Formato', control: 'choice', privacy: 'none' },
    entrega: { label: 'Entrega', control: 'choice', privacy: 'none' },
    frequencia: { label: 'Frequência', control: 'choice', privacy: 'none' },
    horario: { label: 'Horário', control: 'text', privacy: 'none' },
    diaSemana: { label: 'Dia da semana', control: 'choice', privacy: 'none' },
    diaMes: { label: 'Dia do mês', control: 'choice', privacy: 'none' },
    fuso: { label: 'Fuso horário', control: 'choice', privacy: 'none' },
    pulaVazio: { label: 'Não enviar sem linhas', control: 'switch', privacy: 'none' },
    pulaInalterado: { label: 'Não enviar sem mudanças', control: 'switch', privacy: 'none' },
    ativa: { label: 'Ativa', control: 'switch', privacy: 'none' },
    idPessoas: { label: 'Pessoas', control: 'choice', privacy: 'none' },
  },
})

const tag = 'Assinaturas'
const { get, post, put, remove } = callsOf({ tag, permission: 'reports:view' })
const one = { response: { 200: Subscription } }

export const subscriptionsApi = {
  options: get(
    '/usuarios/relatorio/:id/assinaturas/opcoes',
    'O que uma assinatura deste relatório pode ter',
    {
      response: { 200: SubscriptionOptions },
    },
  ),
  ofReport: get('/usuarios/relatorio/:id/assinaturas', 'As próprias assinaturas de um relatório', {
    response: { 200: z.array(Subscription) },
  }),
  create: post('/usuarios/relatorio/:id/assinaturas', 'Assina um relatório', {
    body: SubscriptionDraft,
    response: { 201: Subscription },
  }),
  own: get('/assinaturas/minhas', 'As próprias assinaturas', { response: { 200: z.array(Subscription) } }),
  list: get('/assinaturas', 'As assinaturas de todos', {
    permission: 'subscriptions:manage',
    query: listQuery(SubscriptionOrder).extend({ idRelatorio: EntityId.optional() }),
    response: { 200: z.array(Subscription) },
  }),
  get: get('/assinaturas/:id', 'Uma assinatura, para quem a fez e para administradores', one),
  update: put('/assinaturas/:id', 'Muda uma assinatura', { body: SubscriptionDraft, ...one }),
  setActive: put('/assinaturas/:id/ativa', 'Pausa ou retoma uma assinatura', {
    body: namedObject('SubscriptionActive', { ativa: z.boolean() }),
    ...one,
  }),
  remove: remove('/assinaturas/:id', 'Exclui uma assinatura e o histórico dela'),
  test: post('/assinaturas/:id/teste', 'Envia a assinatura agora, só a quem pede', {
    response: { 201: SubscriptionRun },
  }),
  runs: get('/assinaturas/:id/execucoes', 'As execuções de uma assinatura, as mais novas primeiro', {
    query: pageQuery,
    response: { 200: z.array(SubscriptionRun) },
  }),
  mails: get('/assinaturas/:id/execucoes/:idExecucao/entregas', 'O e-mail de cada destinatário', {
    query: pageQuery,
    response: { 200: z.array(SubscriptionMail) },
  }),
}
