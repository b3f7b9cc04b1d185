import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import {
  calendarDay,
  Email,
  emptyAsNull,
  identityUser,
  idField,
  networks,
  nullableLine,
  requiredLine,
} from '../calls/fields.ts'
import { EntityId } from '../calls/ids.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { deliveryDomain } from './subscription-settings.ts'

/** Days from today to the last day of a guest. */
export const GUEST_DAYS = { usual: 30, most: 365 } as const

/** Hours of a visit; it ends earlier with the guest's last day. */
export const VISIT_HOURS = 8

/** Minutes in which the link of a visit can be used. */
export const VISIT_LINK_MINUTES = 15

/**
 * `IMPEDIDO`: the invitation is neither revoked nor over, but the guest may not visit, for example
 * because the user who invited them is no longer an ADMIN.
 */
export const GuestState = z.enum(['ATIVO', 'IMPEDIDO', 'VENCIDO', 'REVOGADO'])
export type GuestState = z.infer<typeof GuestState>

const instant = z.iso.datetime().nullable()

/** A person without an account ('Convidado') who may see one report through links by e-mail. */
export const Guest = namedObject('Guest', {
  idConvidado: z.number().int(),
  emailConvidado: z.string(),
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  /** The user of the effective identity, for reports that restrict rows. */
  usuarioIdentidade: z.string().nullable(),
  /** The customData of the effective identity. */
  identidadeRls: z.string().nullable(),
  /** The last day, in America/Sao_Paulo, on which the guest may visit. */
  ultimoDia: z.string(),
  motivo: z.string(),
  situacao: GuestState,
  /** Why the guest cannot visit now, in Portuguese; null: they can. */
  impedimento: z.string().nullable(),
  /** Whether a visit is open. */
  emVisita: z.boolean(),
  /** The ADMIN who saved the invitation last; null: the account was deleted. */
  convidadoPor: z.string().nullable(),
  convidadoEm: z.iso.datetime(),
  ultimaVisita: instant,
  revogadoEm: instant,
  versao: z.number().int(),
})
export type Guest = z.infer<typeof Guest>

const terms = {
  usuarioIdentidade: emptyAsNull(identityUser).optional(),
  identidadeRls: nullableLine(254).optional(),
  ultimoDia: calendarDay('Informe o último dia.'),
  motivo: requiredLine(200),
}

export const GuestDraft = namedObject('GuestDraft', {
  emailConvidado: Email,
  idRelatorio: idField('Escolha um relatório.'),
  ...terms,
})
export type GuestDraft = z.infer<typeof GuestDraft>

/** Neither the person nor the report of an invitation changes. An identity left out stays. */
export const GuestUpdate = namedObject('GuestUpdate', terms)
export type GuestUpdate = z.infer<typeof GuestUpdate>

/** The rules of the installation for guests. */
export const GuestSettings = namedObject('GuestSettings', {
  ligado: z.boolean(),
  /** Days from today to the last day of an invitation that is saved. */
  diasMaximos: z.number().int(),
  /** Only addresses of these domains may be guests; empty: of any domain. */
  dominios: z.array(z.string()),
  /** The networks from which guests may visit. An empty list allows all networks. */
  redes: z.array(z.string()),
  versao: z.number().int(),
})
export type GuestSettings = z.infer<typeof GuestSettings>

const days = `Informe de 1 a ${GUEST_DAYS.most} dias.`

export const GuestSettingsUpdate = namedObject('GuestSettingsUpdate', {
  ligado: z.boolean(),
  diasMaximos: z.number(days).int(days).min(1, days).max(GUEST_DAYS.most, days),
  dominios: z
    .array(deliveryDomain)
    .max(100, 'No máximo 100 domínios.')
    .transform((domains) => [...new Set(domains)]),
  redes: networks(50),
})
export type GuestSettingsUpdate = z.infer<typeof GuestSettingsUpdate>

export const GuestOrder = [
  'emailConvidado',
  'nomeRelatorio',
  'ultimoDia',
  'ultimaVisita',
  'convidadoEm',
] as const

export const guestEntity = entity({
  kind: 'convidado',
  title: 'Convidado',
  list: 'convidados',
  listTitle: 'Lista de convidados',
  path: '/convidados',
  permission: 'guests:manage',
  table: 'convidado',
  id: 'idConvidado',
  name: 'emailConvidado',
  actions: {
    'guest.created': 'Convidou uma pessoa para um relatório',
    'guest.updated': 'Mudou um convite para um relatório',
    'guest.invited-again': 'Enviou de novo um convite para um relatório',
    'guest.revoked': 'Revogou um convidado',
    'guest.all-revoked': 'Revogou todos os convidados',
    'guest.link-asked': 'Um convidado pediu um link para a visita',
    'guest.visit-opened': 'Um convidado começou uma visita',
    'guest.visit-ended': 'Um convidado encerrou a visita',
    'guest.embed-issued': 'Um convidado recebeu o acesso a um relatório',
  },
  references: ['idConvidado'],
  unique: { constraint: 'convidado_unico', problem: 'convidado_ja_cadastrado', field: 'emailConvidado' },
  pages: { list: '/convidados', form: '/convidar' },
  fields: {
    emailConvidado: { label: 'E-mail do convidado', control: 'text', privacy: 'personal' },
    idRelatorio: { label: 'Relatório', control: 'choice', privacy: 'none' },
    nomeRelatorio: { label: 'Nome Relatório', isDerived: true, privacy: 'none' },
    usuarioIdentidade: { label: 'Usuário enviado', control: 'optionalText', privacy: 'personal' },
    identidadeRls: { label: 'Identidade de segurança', control: 'optionalText', privacy: 'personal' },
    ultimoDia: { label: 'Último dia', control: 'day', privacy: 'none' },
    motivo: { label: 'Motivo', control: 'text', privacy: 'none' },
    situacao: { label: 'Situação', isDerived: true, privacy: 'none' },
    impedimento: { label: 'Impedimento', isDerived: true, privacy: 'none' },
    emVisita: { label: 'Em visita', isDerived: true, privacy: 'none' },
    convidadoPor: { label: 'Convidado por', isDerived: true, privacy: 'personal' },
    convidadoEm: { label: 'Convidado em', isDerived: true, privacy: 'none' },
    ultimaVisita: { label: 'Última visita', isDerived: true, privacy: 'none' },
    revogadoEm: { label: 'Revogado em', isDerived: true, privacy: 'none' },
  } satisfies Fields<Guest, 'idConvidado'>,
})

const tag = 'Convidados'
const { get, post, put } = callsOf({ tag, permission: guestEntity.permission })
const one = { response: { 200: Guest } }

export const guestsApi = {
  list: get('/convidados', 'Os convidados e suas visitas', {
    query: listQuery(GuestOrder).extend({ idRelatorio: EntityId.optional() }),
    response: { 200: z.array(Guest) },
  }),
  get: get('/convidados/:id', 'Um convidado', one),
  create: post('/convidados', 'Convida uma pessoa para um relatório, por e-mail', {
    reauthentication: 'always',
    body: GuestDraft,
    response: { 201: Guest },
  }),
  update: put('/convidados/:id', 'Muda um convite; a visita aberta termina', {
    reauthentication: 'always',
    body: GuestUpdate,
    ...one,
  }),
  inviteAgain: post('/convidados/:id/convite', 'Envia de novo o e-mail do convite', one),
  revoke: post('/convidados/:id/revogar', 'Revoga um convidado na hora', one),
  revokeAll: post('/convidados/revogar', 'Revoga todos os convidados na hora', {
    response: { 200: namedObject('RevokedGuests', { revogados: z.number().int() }) },
  }),
  getSettings: get('/configuracao/convidados', 'As regras dos convidados', {
    response: { 200: GuestSettings },
  }),
  updateSettings: put(
    '/configuracao/convidados',
    'Muda as regras dos convidados; desligá-los encerra todas as visitas',
    {
      reauthentication: { if: 'permite mais convidados, por mais tempo ou de mais redes' },
      body: GuestSettingsUpdate,
      response: { 200: GuestSettings },
    },
  ),
}
