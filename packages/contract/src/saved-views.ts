import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { emptyAsNull, requiredLine } from './fields.ts'
import { RecordId } from './ids.ts'
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
export const SavedViewDraft = z.object(viewFields).meta({ id: 'SavedViewDraft' })
export type SavedViewDraft = z.infer<typeof SavedViewDraft>

export const SavedViewChange = z
  .object({
    nome: requiredLine(80).optional(),
    padrao: z.boolean().optional(),
    pagina: emptyAsNull(pageField).optional(),
    filtros: PanelChoice.optional(),
    marcador: emptyAsNull(bookmarkField).optional(),
  })
  .meta({ id: 'SavedViewChange' })
export type SavedViewChange = z.infer<typeof SavedViewChange>

/** A saved view of a report: its page, the panel's filters and a bookmark's state. */
export const SavedView = z
  .object({
    idVisao: z.number().int(),
    nome: z.string(),
    padrao: z.boolean(),
    pagina: z.string().nullable(),
    filtros: PanelChoice,
    marcador: z.string().nullable(),
    versao: z.number().int(),
  })
  .meta({ id: 'SavedView' })
export type SavedView = z.infer<typeof SavedView>

const tag = 'Visões salvas'
const permission = 'reports:view'
const params = z.object({ id: RecordId, idVisao: RecordId })

export const savedViewsApi = {
  list: endpoint({
    method: 'GET',
    url: '/usuarios/relatorio/:id/visoes',
    permission,
    tag,
    summary: 'As próprias visões salvas de um relatório, em ordem de nome',
    params: z.object({ id: RecordId }),
    response: { 200: z.array(SavedView) },
  }),
  create: endpoint({
    method: 'POST',
    url: '/usuarios/relatorio/:id/visoes',
    permission,
    tag,
    summary: 'Salva uma visão do relatório',
    params: z.object({ id: RecordId }),
    body: SavedViewDraft,
    response: { 201: SavedView },
  }),
  update: endpoint({
    method: 'PUT',
    url: '/usuarios/relatorio/:id/visoes/:idVisao',
    permission,
    tag,
    summary: 'Troca o nome ou o conteúdo de uma visão; o que não é dito fica como está',
    params,
    body: SavedViewChange,
    response: { 200: SavedView },
  }),
  remove: endpoint({
    method: 'DELETE',
    url: '/usuarios/relatorio/:id/visoes/:idVisao',
    permission,
    tag,
    summary: 'Exclui uma visão salva',
    params,
    response: { 204: z.void() },
  }),
}
