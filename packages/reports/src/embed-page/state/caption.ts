import { PORTAL_ZONE } from '../../definitions/time-zone.ts'
import { filterLines } from './page-filters.ts'
import { activePage, type ReportState } from './report-state.ts'

/** What a picture or a printed sheet says of the page that it shows. */
export interface Caption {
  report: string
  page: string
  /** 'Dados de 28/11/2026, 08:30'; empty when it is not known. */
  dataTime: string
  filters: string[]
}

export const captionOf = (state: ReportState, dataTime: string | undefined): Caption => ({
  report: state.report.name,
  page: activePage(state).displayName,
  dataTime: dataTimeText(dataTime),
  filters: filterLines(state, state.activePage),
})

/** Returns the time of the data (ISO) as the portal writes it, on Brasília's clock. */
export const dataTimeText = (instant: string | undefined): string =>
  instant ? `Dados de ${clock.format(new Date(instant))}` : ''

const clock = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: PORTAL_ZONE,
})
