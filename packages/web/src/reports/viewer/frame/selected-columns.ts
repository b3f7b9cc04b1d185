/** The parts of Power BI's selection events that name columns and slicers. */
export interface SelectionDetail {
  dataPoints?: { identity?: { target?: { table?: unknown; column?: unknown; hierarchyLevel?: unknown } }[] }[]
  visual?: { type?: unknown; title?: unknown }
}

/** Returns the columns of the selected data points, each once, as `table.column`; never values. */
export const columnsOf = (detail: SelectionDetail | undefined): string[] => {
  const targets = (detail?.dataPoints ?? []).flatMap(({ identity = [] }) =>
    identity.map(({ target }) => target),
  )
  const names = targets.flatMap((target) => {
    const column = target?.column ?? target?.hierarchyLevel
    return typeof target?.table === 'string' && typeof column === 'string'
      ? [`${target.table}.${column}`]
      : []
  })
  return [...new Set(names)]
}

/** Returns the title of a clicked slicer; other visuals emit `dataSelected` too. */
export const slicerOf = (detail: SelectionDetail | undefined): string[] => {
  const { type, title } = detail?.visual ?? {}
  return typeof type === 'string' && /slicer/i.test(type) && typeof title === 'string' ? [title] : []
}
