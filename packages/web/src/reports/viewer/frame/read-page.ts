import { models, type Page, type Report, type VisualDescriptor } from 'powerbi-client'
import { asEmbedError } from '../problems/embed-problem.ts'
import { TimeLimitError, withTimeLimit } from '../problems/time-limit.ts'
import { hasRows, isSlicer, MAX_ROWS } from './page-visuals.ts'

/** Milliseconds: the time limits of short calls, and of the rows of a visual. */
const [shortMs, rowsMs] = [20_000, 120_000]

/** The filters of the report, of its page, of a slicer or of a visual. */
export interface PlacedFilters {
  /** The title of the slicer that holds them. */
  slicer?: string
  /** The title of the visual that they apply to; without slicer and visual, they apply to all. */
  visual?: string
  /** Undefined when Power BI refuses to name them. */
  filters: readonly models.IFilter[] | undefined
}

export interface VisualRows {
  title: string
  /** Its rows as CSV, or why there are none: a Portuguese sentence. */
  csv?: string
  fault?: string
}

/** What the page on the screen shows, as Power BI gives it. */
export interface PageRows {
  title: string
  visuals: VisualRows[]
  filters: PlacedFilters[]
}

export interface ReadPageOptions {
  page: string
  /** Only this visual of the page. */
  visual: string | null
  signal: AbortSignal
  /** Called with the percentage of visuals that have been read. */
  onProgress: (percent: number) => void
}

/**
 * Reads the rows of a page's visuals, one visual after the other: Power BI refuses two at a time.
 * @throws Error when the page or its visuals cannot be read at all, or the filters change during the export
 */
export const readPage = async (report: Report, options: ReadPageOptions): Promise<PageRows> => {
  const { signal, onProgress } = options
  const pages = await withTimeLimit(report.getPages(), shortMs)
  const page = pages.find(({ name }) => name === options.page)
  if (!page) throw new Error('A página não existe mais no relatório. Abra-o de novo.')
  const all = (await withTimeLimit(page.getVisuals(), shortMs)).filter(isShown).sort(inReadingOrder)
  const wanted = all.filter(({ name, type }) =>
    options.visual === null ? hasRows(type) : name === options.visual,
  )
  const slicers = all.filter(({ type }) => isSlicer(type))
  const readFilters = () => filtersOf(report, page, slicers, wanted)
  const filters = await readFilters()
  const visuals: VisualRows[] = []
  for (const visual of wanted) {
    signal.throwIfAborted()
    visuals.push({ title: titleOf(visual), ...(await rowsOf(visual)) })
    onProgress(Math.round((visuals.length / wanted.length) * 100))
  }
  signal.throwIfAborted()
  if (JSON.stringify(await readFilters()) !== JSON.stringify(filters))
    throw new Error('Os filtros mudaram durante a exportação. Exporte de novo.')
  return { title: page.displayName, visuals, filters }
}

const rowsOf = async (visual: VisualDescriptor): Promise<Pick<VisualRows, 'csv' | 'fault'>> => {
  try {
    const { data } = await withTimeLimit(
      visual.exportData(models.ExportDataType.Summarized, MAX_ROWS),
      rowsMs,
    )
    if (typeof data === 'string') return { csv: data }
    return { fault: 'o Power BI respondeu sem os dados.' }
  } catch (error) {
    if (error instanceof TimeLimitError) return { fault: 'o Power BI não respondeu a tempo.' }
    return { fault: `o Power BI não exporta os dados deste visual (${asEmbedError(error).message}).` }
  }
}

const filtersOf = async (
  report: Report,
  page: Page,
  slicers: VisualDescriptor[],
  wanted: VisualDescriptor[],
): Promise<PlacedFilters[]> =>
  Promise.all([
    placed({}, report.getFilters()),
    placed({}, page.getFilters()),
    ...slicers.map((slicer) =>
      placed(
        { slicer: titleOf(slicer) },
        slicer.getSlicerState().then((state) => state.filters),
      ),
    ),
    ...wanted.map((visual) => placed({ visual: titleOf(visual) }, visual.getFilters())),
  ])

/** Returns the filters. After a refusal they are undefined, and the file says so. */
const placed = async (
  place: Pick<PlacedFilters, 'slicer' | 'visual'>,
  asked: Promise<models.IFilter[]>,
): Promise<PlacedFilters> => {
  try {
    return { ...place, filters: await withTimeLimit(asked, shortMs) }
  } catch (error) {
    console.info('O Power BI não informou filtros do relatório.', error)
    return { ...place, filters: undefined }
  }
}

const titleOf = ({ title, type, name }: VisualDescriptor): string => title || type || name

const isShown = ({ layout }: VisualDescriptor): boolean =>
  layout?.displayState?.mode !== models.VisualContainerDisplayMode.Hidden

const inReadingOrder = (one: VisualDescriptor, other: VisualDescriptor): number =>
  (one.layout?.y ?? 0) - (other.layout?.y ?? 0) || (one.layout?.x ?? 0) - (other.layout?.x ?? 0)
