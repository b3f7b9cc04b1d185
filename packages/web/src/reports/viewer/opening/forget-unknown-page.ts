import { pageIn } from '../filters/report-address.ts'
import type { OpenReport } from '../frame/report-frame.ts'
import type { OpeningInput } from './opening-input.ts'

/**
 * Says that the report lacks the page of the URL, and forgets it. Both services open the first page
 * when the requested one does not exist.
 */
export const forgetUnknownPage = async (
  report: OpenReport,
  { search, onPage, onStatus }: OpeningInput,
  signal: AbortSignal,
): Promise<void> => {
  const wanted = pageIn(search)
  if (!wanted) return
  try {
    const names = await report.pageNames()
    if (signal.aborted || names.includes(wanted)) return
    onPage(undefined)
    onStatus({ lostParts: [unknownPage] })
  } catch (error) {
    console.warn('As páginas do relatório não puderam ser lidas.', error)
  }
}

const unknownPage = 'A página do endereço não existe mais neste relatório. Ele abriu na primeira página.'
