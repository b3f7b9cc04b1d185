/** The fields of a report that a checklist needs. */
export interface ReportRef {
  idRelatorio: number
  nomeRelatorio: string
  idGrupoRelatorio: number
  nomeGrupo?: string | undefined
}

export interface Mark {
  report: ReportRef
  isTicked: boolean
}

/**
 * A set of reports being edited: `base` is the server's set, `marks` the person's differences from
 * it. Never opened workspaces are in `base` only, so the set can be saved without listing them.
 */
export interface Ticks {
  base: ReadonlyMap<number, ReportRef>
  marks: ReadonlyMap<number, Mark>
}

export interface Changes {
  added: ReportRef[]
  removed: ReportRef[]
}

export const ticksOf = (reports: readonly ReportRef[], marks: Iterable<Mark> = []): Ticks =>
  marked({ base: byId(reports), marks: new Map() }, marks)

export const isTicked = ({ base, marks }: Ticks, idRelatorio: number): boolean =>
  marks.get(idRelatorio)?.isTicked ?? base.has(idRelatorio)

/** Returns the set with these reports ticked or unticked. */
export const tickReports = (ticks: Ticks, reports: readonly ReportRef[], ticked: boolean): Ticks =>
  marked(
    ticks,
    reports.map((report) => ({ report, isTicked: ticked })),
  )

/** Returns what saving would add and remove, sorted by name. */
export const changesOf = ({ marks }: Ticks): Changes => {
  const all = [...marks.values()]
  const reports = (ticked: boolean) =>
    byName(all.filter(({ isTicked: is }) => is === ticked).map(({ report }) => report))
  return { added: reports(true), removed: reports(false) }
}

export const isChanged = ({ marks }: Ticks): boolean => marks.size > 0

/** Returns the ids of the whole set, as sent to the server. */
export const idsOf = ({ base, marks }: Ticks): number[] => {
  const { added, removed } = changesOf({ base, marks })
  const gone = new Set(removed.map(({ idRelatorio }) => idRelatorio))
  return [...base.keys()].filter((id) => !gone.has(id)).concat(added.map(({ idRelatorio }) => idRelatorio))
}

export const countOf = ({ base, marks }: Ticks): number =>
  [...marks.values()].reduce((sum, mark) => sum + (mark.isTicked ? 1 : -1), base.size)

/** Returns the number of ticked reports by workspace. */
export const countsByGroup = ({ base, marks }: Ticks): Map<number, number> => {
  const counts = new Map<number, number>()
  const add = ({ idGrupoRelatorio }: ReportRef, by: number) =>
    counts.set(idGrupoRelatorio, (counts.get(idGrupoRelatorio) ?? 0) + by)
  for (const report of base.values()) add(report, 1)
  for (const mark of marks.values()) add(mark.report, mark.isTicked ? 1 : -1)
  return counts
}

/** Returns reports that are or were ticked; 'Marcados' lists both, to undo an untick. */
export const reportsToList = ({ base, marks }: Ticks): ReportRef[] =>
  byName([...new Map([...base, ...[...marks].map(([id, { report }]) => [id, report] as const)]).values()])

/** Returns what another user changed in the set between two reads. */
export const changesBetween = (before: Ticks['base'], current: readonly ReportRef[]): Changes => {
  const now = byId(current)
  return {
    added: byName(current.filter(({ idRelatorio }) => !before.has(idRelatorio))),
    removed: byName([...before.values()].filter(({ idRelatorio }) => !now.has(idRelatorio))),
  }
}

/** Applies the person's marks to the set another user saved: both changes are kept. */
export const rebaseMarks = ({ marks }: Ticks, current: readonly ReportRef[]): Ticks =>
  ticksOf(current, marks.values())

/** Returns the set exactly as the person sees it, discarding the other user's changes. */
export const overrideWithMine = (ticks: Ticks, current: readonly ReportRef[]): Ticks => {
  const all = new Map([...byId(current), ...byId(reportsToList(ticks))])
  return ticksOf(
    current,
    [...all.values()].map((report) => ({ report, isTicked: isTicked(ticks, report.idRelatorio) })),
  )
}

/** A mark equal to the base is removed. */
const marked = (ticks: Ticks, changed: Iterable<Mark>): Ticks => {
  const marks = new Map(ticks.marks)
  for (const mark of changed) {
    const { idRelatorio } = mark.report
    if (mark.isTicked === ticks.base.has(idRelatorio)) marks.delete(idRelatorio)
    else marks.set(idRelatorio, mark)
  }
  return { base: ticks.base, marks }
}

const byId = (reports: readonly ReportRef[]) => new Map(reports.map((report) => [report.idRelatorio, report]))

const { compare } = new Intl.Collator('pt-BR', { numeric: true })

const byName = (reports: ReportRef[]): ReportRef[] =>
  reports.toSorted(
    (a, b) => compare(a.nomeRelatorio, b.nomeRelatorio) || compare(a.nomeGrupo ?? '', b.nomeGrupo ?? ''),
  )
