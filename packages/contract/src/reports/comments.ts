import { callsOf, namedObject } from '../calls/endpoint.ts'
import { emptyAsNull, isSeen, optionalLine, requiredParagraph } from '../calls/fields.ts'
import { pageQuery, searchText } from '../calls/lists.ts'
import { z } from '../calls/zod.ts'
import { PanelChoice } from './panel-filters.ts'
import { bookmarkField, pageField } from './saved-views.ts'

/** Maximum length of a comment's text, in characters as it is stored. */
export const COMMENT_LENGTH = 2_000

/** Maximum number of people whom one comment mentions: each gets an e-mail. */
export const MAX_MENTIONS = 10

/** Maximum number of replies in one thread. */
export const MAX_REPLIES = 200

/** Maximum number of comments that a person writes or edits within ten minutes. */
export const COMMENTS_IN_TEN_MINUTES = 20

/** People whom the field of a comment suggests. */
export const MAX_SUGGESTIONS = 8

// Without leading zeros: the sender of e-mails looks for the exact text of a mention.
const mention = /@\{([1-9]\d{0,8})\}/g

/** Returns the ids of the people whom a comment's text mentions as `@{12}`, each once. */
export const mentionsIn = (text: string): number[] => [
  ...new Set(Array.from(text.matchAll(mention), ([, id]) => Number(id))),
]

/** Returns the text with each `@{12}` replaced by what `nameOf` returns for its person. */
export const replaceMentions = (text: string, nameOf: (id: number) => string): string =>
  text.replace(mention, (_, id: string) => nameOf(Number(id)))

const texto = requiredParagraph(COMMENT_LENGTH, 'Escreva o comentário.')
  .refine((text) => [...text].some((letter) => letter.trim() && isSeen(letter)), 'Escreva o comentário.')
  .refine((text) => mentionsIn(text).length <= MAX_MENTIONS, `Mencione no máximo ${MAX_MENTIONS} pessoas.`)

/** What the report on the screen shows while a thread is begun. */
export const CommentedState = namedObject('CommentedState', {
  pagina: emptyAsNull(pageField).default(null),
  /** The page's title; '' when it is unknown. */
  tituloPagina: optionalLine(200).default(''),
  filtros: PanelChoice,
  /** A bookmark's state; null if the BI service does not support bookmarks. */
  marcador: emptyAsNull(bookmarkField).default(null),
  /** Whether the writer has selected something inside the report. */
  temSelecoes: z.boolean().default(false),
})
export type CommentedState = z.infer<typeof CommentedState>

const written = {
  idComentario: z.number().int(),
  /** The first comment of its thread; null in that comment itself. */
  idConversa: z.number().int().nullable(),
  /** Null: the person or the comment was deleted. */
  autor: z.string().nullable(),
  /** Whether the caller wrote it, and so may edit it. */
  proprio: z.boolean(),
  /** Plain text with mentions as `@{12}`; '' when it was deleted. */
  texto: z.string(),
  /** The people in the text that still have an account. */
  mencoes: z.array(z.object({ idUsuario: z.number().int(), nome: z.string() })),
  criadoEm: z.iso.datetime(),
  editadoEm: z.iso.datetime().nullable(),
  excluido: z.boolean(),
}

/** A comment on a report ('Comentário'), or a reply. */
export const Comment = namedObject('Comment', written)
export type Comment = z.infer<typeof Comment>

/** The first comment of a thread, with what the report showed and the state of the thread. */
export const CommentThread = namedObject('CommentThread', {
  ...written,
  respostas: z.number().int(),
  resolvidoEm: z.iso.datetime().nullable(),
  /** Null when it is not resolved, or the person was deleted. */
  resolvidoPor: z.string().nullable(),
  /** Null for a paginated report or a deleted comment. */
  visto: z
    .object({
      pagina: z.string().nullable(),
      tituloPagina: z.string(),
      /** Null when the caller sees other rows than the writer: the values are withheld. */
      filtros: PanelChoice.nullable(),
      /** Whether filters or selections were in use. */
      temFiltros: z.boolean(),
      temSelecoes: z.boolean(),
    })
    .nullable(),
})
export type CommentThread = z.infer<typeof CommentThread>

export const CommentStatus = z.enum(['abertos', 'resolvidos', 'todos'])
export type CommentStatus = z.infer<typeof CommentStatus>

/** What 'Ver como estava' applies. Without `completo`, only the page. */
export const StateToShow = namedObject('StateToShow', {
  pagina: z.string().nullable(),
  filtros: PanelChoice,
  marcador: z.string().nullable(),
  completo: z.boolean(),
})
export type StateToShow = z.infer<typeof StateToShow>

/** A person who may be mentioned. */
export const MentionedPerson = namedObject('MentionedPerson', {
  idUsuario: z.number().int(),
  nome: z.string(),
})
export type MentionedPerson = z.infer<typeof MentionedPerson>

/** Where the portal shows a comment. */
export const CommentPlace = namedObject('CommentPlace', {
  idRelatorio: z.number().int(),
  nomeRelatorio: z.string(),
  nomeGrupo: z.string(),
  groupId: z.string(),
  reportId: z.string(),
  idComentario: z.number().int(),
  /** The first comment of its thread. */
  idConversa: z.number().int(),
  /** The report's page; null when it is unknown. */
  pagina: z.string().nullable(),
  resolvido: z.boolean(),
})
export type CommentPlace = z.infer<typeof CommentPlace>

/** Whether readers may comment on reports, for the whole installation. */
export const CommentSettings = namedObject('CommentSettings', { comentarios: z.boolean() })
export type CommentSettings = z.infer<typeof CommentSettings>

const { get, post, put, remove } = callsOf({ tag: 'Comentários', permission: 'reports:view' })
const ofReport = '/usuarios/relatorio/:id/comentarios'

export const commentsApi = {
  list: get(ofReport, 'As conversas de um relatório ou de uma página dele, as mais novas primeiro', {
    query: pageQuery.extend({
      pagina: pageQuery.shape.pagina.meta({ description: 'A partir de 1. Sem ela vem a primeira página.' }),
      tamanho: pageQuery.shape.tamanho.meta({ description: 'Conversas por página; 20 se não informado.' }),
      situacao: CommentStatus.default('abertos'),
      paginaRelatorio: pageField.optional().meta({ description: 'O nome da página no relatório.' }),
    }),
    response: { 200: z.array(CommentThread) },
  }),
  create: post(ofReport, 'Começa uma conversa, ou responde em uma', {
    body: namedObject('CommentDraft', {
      texto,
      /** The thread to reply in; null begins one. */
      idConversa: z.number().int().positive().max(2_147_483_647).nullable().default(null),
      /** Only for the first comment of a thread. */
      estado: CommentedState.nullable().default(null),
    }),
    response: { 201: Comment },
  }),
  people: get(`${ofReport}/pessoas`, 'As pessoas ativas que veem o relatório, para mencionar', {
    query: z.object({
      busca: searchText.default(''),
    }),
    response: { 200: z.array(MentionedPerson) },
  }),
  thread: get(`${ofReport}/:idComentario`, 'Uma conversa', { response: { 200: CommentThread } }),
  replies: get(
    `${ofReport}/:idComentario/respostas`,
    'As respostas de uma conversa, as mais antigas primeiro',
    {
      response: { 200: z.array(Comment) },
    },
  ),
  state: get(
    `${ofReport}/:idComentario/estado`,
    'O que o relatório mostrava; só a página, para quem vê outras linhas que o autor',
    { response: { 200: StateToShow } },
  ),
  edit: put(`${ofReport}/:idComentario`, 'Edita o próprio comentário', {
    body: namedObject('CommentEdit', { texto }),
    response: { 200: Comment },
  }),
  resolve: put(`${ofReport}/:idComentario/situacao`, 'Resolve ou reabre uma conversa', {
    body: namedObject('CommentResolution', { resolvido: z.boolean() }),
    response: { 200: CommentThread },
  }),
  remove: remove(`${ofReport}/:idComentario`, 'Exclui o próprio comentário; um ADMIN, o de qualquer pessoa'),
  place: get('/comentarios/:id', 'Onde fica um comentário, para quem vê o relatório', {
    response: { 200: CommentPlace },
  }),
  settings: get('/configuracao/comentarios', 'Se as pessoas comentam relatórios nesta instalação', {
    permission: 'settings:manage',
    response: { 200: CommentSettings },
  }),
  updateSettings: put('/configuracao/comentarios', 'Liga ou desliga os comentários de toda a instalação', {
    permission: 'settings:manage',
    body: CommentSettings,
    response: { 200: CommentSettings },
  }),
}
