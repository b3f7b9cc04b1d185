import { callsOf, namedObject } from '../calls/endpoint.ts'
import { emptyAsNull, requiredLine } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { PanelChoice } from './panel-filters.ts'

/** Maximum length of a stored bookmark state, which powerbi-client defines as opaque. */
export const BOOKMARK_LENGTH = 32_768

/** Maximum number of saved views of one person for one report. */
export const SAVED_VIEWS = 50

/** A page's name within its report. */
export const pageField = z.string().regex(/^[\w-]{1,100}$/, 'Este nome de página não é válido.')
/** The `state` of `bookmarksManager.capture()`: printable ASCII, usually base64. */
export const bookmarkField = z
  .string()
  .max(BOOKMARK_LENGTH, 'As seleções do relatório são grandes demais para guardar.')
  .regex(/^[\x20-\x7e]*$/, 'O marcador não é válido.')

const viewFields = {
  nome: requiredLine(80),
  /** Opens with the report. At most one view per person and report has it. */
  padrao: z.boolean().default(false),
  pagina: emptyAsNull(pageField).default(null),
  filtros: PanelChoice,
  /** A bookmark's state; null if the BI service does not support bookmarks. */
  marcador: emptyAsNull(bookmarkField).default(null),
}

/** On a PUT, fields left out stay unchanged. */
export const SavedViewDraft = namedObject('SavedViewDraft', viewFields)
export type SavedViewDraft = z.infer<typeof SavedViewDraft>

export const SavedViewChange = namedObject('SavedViewChange', {
  nome: requiredLine(80).optional(),
  padrao: z.boolean().optional(),
  pagina: emptyAsNull(pageField).optional(),
  filtros: PanelChoice.optional(),
  marcador: emptyAsNull(bookmarkField).optional(),
})
export type SavedViewChange = z.infer<typeof SavedViewChange>

/** A saved view of a report: its page, the panel's filters and a bookmark's state. */
export const SavedView = namedObject('SavedView', {
  idVisao: z.number().int(),
  nome: z.string(),
  padrao: z.boolean(),
  pagina: z.string().nullable(),
  filtros: PanelChoice,
  marcador: z.string().nullable(),
  versao: z.number().int(),
})
export type SavedView = z.infer<typeof SavedView>

const { get, post, put, remove } = callsOf({ tag: 'Visões salvas', permission: 'reports:view' })

export const savedViewsApi = {
  list: get('/usuarios/relatorio/:id/visoes', 'As próprias visões salvas de um relatório, em ordem de nome', {
    response: { 200: z.array(SavedView) },
  }),
  create: post('/usuarios/relatorio/:id/visoes', 'Salva uma visão do relatório', {
    body: SavedViewDraft,
    response: { 201: SavedView },
  }),
  update: put(
    '/usuarios/relatorio/:id/visoes/:idVisao',
    'Troca o nome ou o conteúdo de uma visão; o que não é dito fica como está',
    { body: SavedViewChange, response: { 200: SavedView } },
  ),
  remove: remove('/usuarios/relatorio/:id/visoes/:idVisao', 'Exclui uma visão salva'),
}
