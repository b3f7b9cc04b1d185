import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { calendarDay, emptyAsNull, idField, requiredLine } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { TimeOfDay, WEEKDAYS } from '../calls/recurrence.ts'
import { z } from '../calls/zod.ts'

/** `SUSPENSA`: Azure has stopped it, such as for a bill that was not paid. */
export const CapacityState = z.enum([
  'ATIVA',
  'PAUSADA',
  'INICIANDO',
  'PAUSANDO',
  'REDIMENSIONANDO',
  'PREPARANDO',
  'SUSPENSA',
  'FALHOU',
  'DESCONHECIDA',
])
export type CapacityState = z.infer<typeof CapacityState>

/** F: Microsoft Fabric; A: Power BI Embedded. */
const CapacityKind = z.enum(['F', 'A'])
export type CapacityKind = z.infer<typeof CapacityKind>

/** A capacity in Azure that the workspaces of a connection use, and when it runs. */
export const Capacity = namedObject('Capacity', {
  idCapacidade: z.number().int(),
  nome: z.string(),
  idPowerBi: z.number().int(),
  nomePowerBi: z.string(),
  /** The id of the resource in Azure. */
  recurso: z.string(),
  tipoCapacidade: CapacityKind,
  diasAgenda: z.array(z.enum(WEEKDAYS)),
  /** `08:00`, in America/Sao_Paulo; null: the schedule does not start it. */
  iniciaAs: z.string().nullable(),
  /** Null: the schedule does not pause it. A time before `iniciaAs` is of the next day. */
  pausaAs: z.string().nullable(),
  /** Days (yyyy-mm-dd) on which the schedule does not start it. */
  feriados: z.array(z.string()),
  /** Minutes without an open report after which it is paused; null: never. */
  ociosaMinutos: z.number().int().nullable(),
  /**
   * The size (such as `F8`) that the schedule sets when it starts the capacity; null: unchanged.
   */
  tamanhoInicio: z.string().nullable(),
  /** The size that the schedule sets at `pausaAs` instead of a pause; null: it pauses. */
  tamanhoFim: z.string().nullable(),
  /** The state when it was last read from Azure. */
  estadoCapacidade: CapacityState,
  sku: z.string().nullable(),
  versao: z.number().int(),
})
export type Capacity = z.infer<typeof Capacity>

const azureId =
  /^\/subscriptions\/[\da-f-]{36}\/resourcegroups\/[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]\/providers\/microsoft\.(fabric|powerbidedicated)\/capacities\/[a-z][a-z\d]{2,62}$/iu

const size = z.string().regex(/^[AF]\d{1,4}$/, 'Informe um tamanho, como F8 ou A2.')

const timeOfDay = emptyAsNull(TimeOfDay)

/** Days in the list of holidays; several years fit. */
export const MAX_HOLIDAYS = 200

/** The shortest idle time: an open report is noted as use every five minutes. */
export const IDLE_MINUTES_AT_LEAST = 15

export const CapacityDraft = namedObject('CapacityDraft', {
  nome: requiredLine(120),
  idPowerBi: idField('Escolha um Power Bi.'),
  recurso: requiredLine(400).regex(
    azureId,
    'Copie o ID do recurso do portal do Azure: /subscriptions/…/resourceGroups/…/providers/Microsoft.Fabric/capacities/… ou …/Microsoft.PowerBIDedicated/capacities/….',
  ),
  diasAgenda: z
    .array(z.enum(WEEKDAYS))
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .optional(),
  iniciaAs: timeOfDay.optional(),
  pausaAs: timeOfDay.optional(),
  feriados: z
    .array(calendarDay('Informe datas válidas.'))
    .max(MAX_HOLIDAYS, `Informe no máximo ${MAX_HOLIDAYS} feriados.`)
    .transform((days) => [...new Set(days)].toSorted())
    .optional(),
  ociosaMinutos: z
    .number('Informe um número de minutos.')
    .int('Informe um número inteiro de minutos.')
    .min(IDLE_MINUTES_AT_LEAST, `Informe ao menos ${IDLE_MINUTES_AT_LEAST} minutos.`)
    .max(1_440, 'Informe no máximo 1440 minutos.')
    .nullish(),
  tamanhoInicio: emptyAsNull(size).optional(),
  tamanhoFim: emptyAsNull(size).optional(),
})
export type CapacityDraft = z.infer<typeof CapacityDraft>

/** The state of a capacity, and what the portal did with it and will do. */
export const CapacityStatus = namedObject('CapacityStatus', {
  estado: CapacityState,
  sku: z.string().nullable(),
  /** When the state was read from Azure. */
  lidoEm: z.iso.datetime().nullable(),
  /** Why the state could not be read the last time, in Portuguese. */
  falha: z.string().nullable(),
  /** Why it was not paused when it was due, in Portuguese. */
  naoPausada: z.string().nullable(),
  /** The schedule's next action. */
  proxima: z
    .object({
      acao: z.enum(['INICIAR', 'PAUSAR', 'REDIMENSIONAR']),
      /** The new size of a resize. */
      sku: z.string().nullable(),
      em: z.iso.datetime(),
    })
    .nullable(),
  /** When a report of the capacity was last open. */
  usadaEm: z.iso.datetime().nullable(),
})
export type CapacityStatus = z.infer<typeof CapacityStatus>

/** The people and profiles whose opening of a report starts the capacity. */
export const CapacityStarters = namedObject('CapacityStarters', {
  pessoas: z.array(z.object({ idUsuario: z.number().int(), nomeUsuario: z.string() })),
  perfis: z.array(z.object({ idPerfil: z.number().int(), nomePerfil: z.string() })),
})
export type CapacityStarters = z.infer<typeof CapacityStarters>

const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Informe um mês válido.')
  .meta({ description: 'aaaa-mm, em America/Sao_Paulo' })

/** Hours in which the portal saw the capacity running. */
export const CapacityHours = namedObject('CapacityHours', {
  /** Each day of the month, up to today. */
  dias: z.array(z.object({ dia: z.iso.date(), horas: z.number() })),
  /** The last twelve months, up to this one. */
  meses: z.array(z.object({ mes: z.string(), horas: z.number() })),
})
export type CapacityHours = z.infer<typeof CapacityHours>

export const CapacityOrder = ['nome', 'nomePowerBi', 'estadoCapacidade'] as const

export const capacityEntity = entity({
  kind: 'capacidade',
  title: 'Capacidade',
  list: 'capacidades',
  listTitle: 'Lista de capacidades',
  path: '/usuarios/capacidade',
  permission: 'connections:manage',
  table: 'capacidade',
  id: 'idCapacidade',
  name: 'nome',
  hint: 'nomePowerBi',
  actions: {
    'capacity.created': 'Cadastrou uma capacidade',
    'capacity.updated': 'Editou uma capacidade',
    'capacity.deleted': 'Excluiu uma capacidade',
    'capacity.start-requested': 'Iniciou uma capacidade',
    'capacity.pause-requested': 'Pausou uma capacidade',
    'capacity.resize-requested': 'Redimensionou uma capacidade',
    'capacity.action-failed': 'Não conseguiu mudar o estado de uma capacidade',
    'capacity.pause-withheld': 'Deixou de pausar uma capacidade',
    'capacity.starters-changed': 'Mudou quem inicia uma capacidade ao abrir um relatório',
  },
  references: ['idCapacidade'],
  unique: { constraint: 'capacidade_recurso_unico', problem: 'capacidade_ja_cadastrada', field: 'recurso' },
  pages: { list: '/capacidades', form: '/cadastrar-capacidade' },
  menu: { title: 'Capacidades', phoneTitle: 'Capacidades', list: 'Listar' },
  fields: {
    nome: { label: 'Nome', csv: true, control: 'text', privacy: 'none' },
    idPowerBi: { label: 'Power Bi', control: 'choice', privacy: 'none' },
    nomePowerBi: { label: 'Powerbi', column: 'Power Bi', csv: true, isDerived: true, privacy: 'none' },
    recurso: { label: 'ID do recurso no Azure', csv: true, control: 'text', privacy: 'none' },
    tipoCapacidade: { label: 'Tipo', csv: true, isDerived: true, privacy: 'none' },
    diasAgenda: { label: 'Dias da agenda', csv: true, control: 'choice', privacy: 'none' },
    iniciaAs: { label: 'Inicia às', csv: true, control: 'optionalText', privacy: 'none' },
    pausaAs: { label: 'Pausa às', csv: true, control: 'optionalText', privacy: 'none' },
    feriados: { label: 'Feriados', csv: true, control: 'optionalText', privacy: 'none' },
    ociosaMinutos: {
      label: 'Pausar após minutos sem uso',
      csv: true,
      control: 'optionalText',
      privacy: 'none',
    },
    estadoCapacidade: { label: 'Estado', csv: true, isDerived: true, privacy: 'none' },
    sku: { label: 'Tamanho', csv: true, isDerived: true, privacy: 'none' },
    tamanhoInicio: { label: 'Tamanho ao iniciar', csv: true, control: 'optionalText', privacy: 'none' },
    tamanhoFim: { label: 'Tamanho no fim', csv: true, control: 'optionalText', privacy: 'none' },
  } satisfies Fields<Capacity, 'idCapacidade'>,
})

const tag = 'Capacidades'
const query = listQuery(CapacityOrder)
const { get, post, put, remove } = callsOf({ tag, permission: capacityEntity.permission })
const answer = { response: { 200: CapacityStatus } }

export const capacitiesApi = {
  ...entityCalls(capacityEntity, {
    tag,
    summaries: {
      list: 'Capacidades',
      get: 'Uma capacidade',
      create: 'Cadastra uma capacidade que existe no Azure',
      update: 'Edita uma capacidade',
      remove: 'Retira uma capacidade do portal; no Azure nada muda',
    },
    reauthentication: {
      create: { if: 'o portal passa a iniciar, pausar ou redimensionar a capacidade sozinho' },
      update: {
        if: 'muda quando, em que tamanho ou em que recurso do Azure o portal age sozinho',
      },
      remove: { if: 'o portal deixa de agir sozinho na capacidade' },
    },
    query,
    record: Capacity,
    draft: CapacityDraft,
    update: CapacityDraft,
  }),
  exportCsv: get('/usuarios/capacidade.csv', 'Capacidades em CSV', {
    query: query.pick({ busca: true, ordem: true }),
    contentType: 'text/csv',
  }),
  status: get('/usuarios/capacidade/:id/estado', 'O estado de uma capacidade no Azure', answer),
  start: post('/usuarios/capacidade/:id/iniciar', 'Pede ao Azure que inicie a capacidade', answer),
  pause: post(
    '/usuarios/capacidade/:id/pausar',
    'Pede ao Azure que pause a capacidade, se nenhuma atualização de dados está em andamento',
    { ...answer, reauthentication: 'always' },
  ),
  resize: post('/usuarios/capacidade/:id/redimensionar', 'Pede ao Azure outro tamanho da capacidade', {
    reauthentication: 'always',
    body: namedObject('CapacityResize', {
      sku: size,
    }),
    ...answer,
  }),
  skus: get('/usuarios/capacidade/:id/tamanhos', 'Os tamanhos que o Azure oferece a uma capacidade', {
    response: { 200: z.array(z.string()) },
  }),
  hours: get('/usuarios/capacidade/:id/horas', 'As horas em que o portal viu a capacidade ativa', {
    query: z.object({ mes: month }),
    response: { 200: CapacityHours },
  }),
  hoursCsv: get(
    '/usuarios/capacidade/:id/horas.csv',
    'Os períodos em que a capacidade esteve ativa, em CSV',
    {
      contentType: 'text/csv',
    },
  ),
  starters: get('/usuarios/capacidade/:id/autorizados', 'Quem inicia a capacidade ao abrir um relatório', {
    response: { 200: CapacityStarters },
  }),
  allowPerson: put('/usuarios/capacidade/:id/autorizados/pessoas/:idUsuario', 'Autoriza uma pessoa'),
  disallowPerson: remove('/usuarios/capacidade/:id/autorizados/pessoas/:idUsuario', 'Desautoriza uma pessoa'),
  allowProfile: put(
    '/usuarios/capacidade/:id/autorizados/perfis/:idPerfil',
    'Autoriza os membros de um perfil',
  ),
  disallowProfile: remove(
    '/usuarios/capacidade/:id/autorizados/perfis/:idPerfil',
    'Desautoriza os membros de um perfil',
  ),
}
