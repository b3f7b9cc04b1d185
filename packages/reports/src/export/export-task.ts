/** What one export draws, all checked: a sheet for each item of `sheets`. */
export type ExportTask = {
  format: 'PDF' | 'PNG'
  reportId: string
  /** Signs the embed token under which the page asks for its rows: made when the work begins, for as long as it may take. */
  token: (lifeSeconds: number) => string
  sheets: ExportSheet[]
}

/** One page of the report, or one visual of it. Travels into the browser as JSON. */
export type ExportSheet = {
  page: string
  visual?: string
  /** As powerbi-client's load configuration takes it. */
  bookmark?: { name: string } | { state: string }
  filters: object[]
}

export type ExportFile = { bytes: Uint8Array; type: string; extension: '.pdf' | '.png' | '.zip' }
