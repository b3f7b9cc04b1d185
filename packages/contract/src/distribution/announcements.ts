import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity, type Fields } from '../calls/entity.ts'
import { entityCalls } from '../calls/entity-calls.ts'
import { idList, requiredLine, requiredParagraph, typedInstant } from '../calls/fields.ts'
import { listQuery } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { findRefusedLink } from './rich-text.ts'

/** Whom an announcement is for; 'PERFIS' are the members of its profiles. */
export const Audience = z.enum(['TODOS', 'ADMINISTRADORES', 'USUARIOS', 'PERFIS'])
export type Audience = z.infer<typeof Audience>

/** Where readers see it: in a banner below the top bar, or in the bell. */
export const AnnouncementForm = z.enum(['FAIXA', 'SINO'])
export type AnnouncementForm = z.infer<typeof AnnouncementForm>

export const ANNOUNCEMENT_LENGTH = { title: 100, text: 1_000 } as const
/** Days. */
export const ANNOUNCEMENT_PERIOD = { usual: 7, most: 366 } as const

const period = { inicio: z.iso.datetime(), fim: z.iso.datetime() }

/** An announcement of the administrators ('Aviso'). */
export const Announcement = namedObject('Announcement', {
  idAviso: z.number().int(),
  titulo: z.string(),
  /** A part of Markdown: see rich-text.ts. */
  texto: z.string(),
  /** Shown from `inicio` until just before `fim`. */
  ...period,
  publico: Audience,
  perfis: z.array(z.object({ idPerfil: z.number().int(), nomePerfil: z.string() })),
  forma: AnnouncementForm,
  /** Whether the sign-in page shows it too. */
  manutencao: z.boolean(),
  /** How many active people of the audience have read it, and how many there are. */
  lidos: z.number().int(),
  destinatarios: z.number().int(),
  versao: z.number().int(),
})
export type Announcement = z.infer<typeof Announcement>

const instant = typedInstant('Informe dia e hora.')

export const AnnouncementDraft = z
  .object({
    titulo: requiredLine(ANNOUNCEMENT_LENGTH.title),
    texto: requiredParagraph(ANNOUNCEMENT_LENGTH.text).refine(
      (text) => findRefusedLink(text) === undefined,
      'Use só links que começam com https://, sem usuário, senha nem parênteses.',
    ),
    inicio: instant,
    fim: instant,
    publico: Audience,
    /** For the audience 'PERFIS' only. */
    idPerfis: idList(200).default([]),
    forma: AnnouncementForm,
    manutencao: z.boolean(),
  })
  .superRefine(({ inicio, fim, publico, idPerfis, manutencao }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const days = (Date.parse(fim) - Date.parse(inicio)) / 86_400_000
    if (days <= 0) refuse('fim', 'O fim precisa ser depois do início.')
    if (days > ANNOUNCEMENT_PERIOD.most) refuse('fim', 'Um aviso dura no máximo um ano.')
    if (publico === 'PERFIS' && idPerfis.length === 0) refuse('idPerfis', 'Escolha ao menos um perfil.')
    if (manutencao && publico !== 'TODOS')
      refuse('publico', 'Um aviso de manutenção aparece na página de entrada: escolha Todos.')
  })
  .meta({ id: 'AnnouncementDraft' })
export type AnnouncementDraft = z.infer<typeof AnnouncementDraft>

/** What a reader gets of an announcement. */
export const ShownAnnouncement = namedObject('ShownAnnouncement', {
  idAviso: z.number().int(),
  titulo: z.string(),
  texto: z.string(),
  ...period,
  manutencao: z.boolean(),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

/** What anybody gets of a maintenance announcement, before sign-in. */
export const PublicAnnouncement = namedObject('PublicAnnouncement', {
  titulo: z.string(),
  texto: z.string(),
})
export type PublicAnnouncement = z.infer<typeof PublicAnnouncement>

export const AnnouncementOrder = ['titulo', 'inicio', 'fim'] as const

export const announcementEntity = entity({
  kind: 'aviso',
  title: 'Aviso',
  list: 'avisos',
  listTitle: 'Lista de avisos',
  path: '/avisos',
  permission: 'announcements:manage',
  table: 'aviso',
  id: 'idAviso',
  name: 'titulo',
  actions: {
    'announcement.created': 'Publicou um aviso',
    'announcement.updated': 'Editou um aviso',
    'announcement.deleted': 'Excluiu um aviso',
  },
  references: ['idAviso'],
  pages: { list: '/avisos', form: '/cadastrar-aviso' },
  menu: { title: 'Avisos', phoneTitle: 'Avisos', list: 'Listar' },
  fields: {
    titulo: { label: 'Título', control: 'text', privacy: 'none' },
    texto: { label: 'Texto', control: 'text', privacy: 'none' },
    inicio: { label: 'Início', control: 'text', privacy: 'none' },
    fim: { label: 'Fim', control: 'text', privacy: 'none' },
    publico: { label: 'Público', control: 'choice', privacy: 'none' },
    perfis: { label: 'Perfis', control: 'choice', privacy: 'none' },
    forma: { label: 'Onde aparece', control: 'choice', privacy: 'none' },
    manutencao: { label: 'Aviso de manutenção', control: 'switch', privacy: 'none' },
    lidos: { label: 'Lido por', isDerived: true, privacy: 'none' },
    destinatarios: { label: 'Destinatários', isDerived: true, privacy: 'none' },
  } satisfies Fields<Announcement, 'idAviso'>,
})

const tag = 'Avisos'
const { get, post } = callsOf({ tag, permission: 'account:own' })

export const announcementsApi = {
  ...entityCalls(announcementEntity, {
    tag,
    summaries: {
      list: 'Avisos, com quantas pessoas já leram cada um',
      get: 'Um aviso',
      create: 'Publica um aviso',
      update: 'Edita um aviso; quem já o leu não o recebe de novo',
      remove: 'Exclui um aviso, que some das telas',
    },
    query: listQuery(AnnouncementOrder),
    record: Announcement,
    draft: AnnouncementDraft,
    update: AnnouncementDraft,
  }),
  read: get('/meus-avisos/:id', 'Um aviso em curso, para quem ele se destina', {
    response: { 200: ShownAnnouncement },
  }),
  markRead: post('/meus-avisos/:id/leitura', 'Marca um aviso como lido; a faixa dele não aparece mais'),
}
