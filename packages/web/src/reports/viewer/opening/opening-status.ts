import type { EmbeddedReport } from '@bi-manager/contract'
import type { NamedField, PanelChoice, PanelField } from '../filters/panel-filters.ts'
import type { ChosenVisual } from '../frame/visual-commands.ts'
import type { ViewerProblem } from '../problems/viewer-problem.ts'

/** The state of a report's opening that the page shows. The token is never part of it. */
export interface OpeningStatus {
  phase: 'carregando' | 'carregado' | 'renderizado' | 'erro'
  idRelatorio?: number
  nomeRelatorio?: string
  /** The selects of the panel that the report has; undefined until the token response is there. */
  fields?: PanelField[]
  /** Set for a paginated report, which has no pages, filters, saved views or known data time. */
  paginated?: Pick<EmbeddedReport, 'parametros' | 'painelParametros'> | undefined
  /** The panel's values, from the URL and its defaults; set once the token response is there. */
  choice?: PanelChoice
  /** Chosen fields whose column the report lacks. */
  missing?: NamedField[]
  /** Portuguese sentences on what the URL or a saved view names but the report no longer has. */
  lostParts?: string[]
  problem?: ViewerProblem
  /** The URL held a value that its filter does not offer. */
  hadInvalidFilter?: boolean
  /** A row rule left out every row, because the identity of the viewer is missing. */
  lacksIdentity?: boolean
  /** Portuguese sentence on an error; the report stays on the screen. */
  notice?: string
  /** Portuguese sentence on why the token cannot be renewed at the moment. */
  renewalFails?: string
  /** The portal renews the token only after the person has confirmed their identity. */
  needsReauthentication?: boolean
  /** The user has changed page, filters or selections. */
  isUsed?: boolean
  /** The user has selected something inside the report, which the URL does not contain. */
  hasSelections?: boolean
  /** Readers may comment on it. */
  hasComments?: boolean
  /** The local service shows it, and writes its spreadsheets; otherwise Microsoft shows it. */
  isLocal?: boolean
  /** Set each time the reader asks for the data of a visual, in its menu. */
  visualToExport?: ChosenVisual
  /** Set each time the reader asks for an alert on a visual, in its menu. */
  visualToWatch?: ChosenVisual
  /** Beneficiaries can be listed behind the selected data point. */
  hasPoint?: boolean
  /**
   * An automatic attempt is running; the problem stays on the screen until it succeeds or fails.
   */
  isReopening?: boolean
}
