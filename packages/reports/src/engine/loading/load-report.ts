import { randomUUID } from 'node:crypto'
import { isInheritedName } from '@bi-manager/contract/own-value'
import type { ReportDefinition, Target, VisualDefinition } from '../../definitions/definition.ts'
import { MAX_FILTERS } from '../../definitions/filter-operators.ts'
import type { InvalidReportDefinition, ReportFile } from '../../definitions/read-definitions.ts'
import type { Filter } from '../../definitions/wire-filters.ts'
import { type Dataset, findColumn, type Page, type Report, type Visual } from '../data/catalog.ts'
import { findDifference } from '../queries/compare-aggregation.ts'
import { compileFilter, FilterError } from '../queries/filters.ts'
import { resolveFilter } from '../queries/resolved-filters.ts'
import type { AuthorRights } from './author-rights.ts'
import { checkOption } from './check-option.ts'
import { checkReferences, isRepeated } from './check-references.ts'
import { reservedName, sentenceOf } from './load-dataset.ts'
import {
  type CheckQuery,
  createQueryCheck,
  type Fail,
  loadBeneficiaries,
  loadUnderlying,
  loadVisual,
  measuresOf,
} from './load-visual.ts'

type PanelFilters = NonNullable<ReportDefinition['panelFilters']>

interface Checks {
  fail: (place: string, sentence: string) => void
  /** Checks a filter against the dataset. */
  check: (place: string, filter: PanelFilters[number]) => void
}

/** Checks what the portal requires of the selects of its panel. */
const checkPanelFilters = (filters: PanelFilters, { fail, check }: Checks) => {
  const keyOf = ({ target }: PanelFilters[number]) => `${target.table}.${target.column}`.toLowerCase()
  filters.forEach((filter, index) => {
    const place = `panelFilters[${index}]`
    const earlier = filters.slice(0, index)
    if (earlier.some((other) => keyOf(other) === keyOf(filter))) fail(`${place}.target`, 'coluna repetida')
    if (earlier.some(({ label }) => label === filter.label))
      fail(`${place}.label`, `${filter.label} se repete`)
    const { values, default: preset } = filter
    if (new Set(values.map((value) => typeof value)).size > 1)
      fail(`${place}.values`, 'use só textos, só números ou só verdadeiro e falso')
    else check(place, filter)
    const repeated = values.find((value, at) => values.indexOf(value) < at)
    if (repeated !== undefined) fail(`${place}.values`, `${repeated} se repete`)
    if (preset !== undefined && !values.includes(preset))
      fail(`${place}.default`, `${preset} não está entre os valores`)
  })
}

type Warn = (sentence: string) => void
type Slicer = NonNullable<VisualDefinition['slicer']>

/** Checks a report, running each query once over no rows. Any error excludes the report. */
export const loadReport = async (
  { path, definition }: ReportFile,
  workspaceId: string,
  dataset: Dataset,
  warn: Warn,
  { rights, compares = false }: { rights: AuthorRights; compares?: boolean | undefined },
): Promise<Report | undefined> => {
  const errors: string[] = []
  const { quotesData } = rights
  const check = createQueryCheck(dataset, !rights.isAuthored(path))
  const fail: Fail = (place, error) => errors.push(`${path}: ${place}: ${sentenceOf(error, quotesData)}`)
  const { checkTarget, checkVisual } = checksOf(dataset, check, fail, (place, sentence) =>
    warn(`${path}: ${place}: ${sentence}`),
  )
  const checkFilters = (place: string, filters: Filter[]) => {
    filters.forEach((filter, index) => {
      const reason = whyRefused(dataset, filter)
      if (reason) fail(`${place}[${index}]`, reason)
    })
  }

  const compare = async (where: string, visual: Visual) => {
    try {
      const difference = await findDifference(dataset, visual, { quotesData })
      if (difference !== undefined) fail(`${where}.summary`, differs(visual, difference))
    } catch (error) {
      fail(`${where}.summary`, error)
    }
  }

  if (rights.isAuthored(path)) checkNames(definition, fail)
  checkFilters('filters', definition.filters)
  checkReferences(definition, fail)
  definition.bookmarks.forEach(({ filters, page }, index) => {
    const place = `bookmarks[${index}].filters`
    checkFilters(place, filters)
    const ofPage = definition.pages.find(({ name }) => name === page)?.filters.length ?? 0
    if (filters.length + ofPage > MAX_FILTERS)
      fail(place, `no máximo ${MAX_FILTERS} filtros, com os da página`)
  })
  definition.filterPane.forEach(({ target }, index) => {
    checkTarget(`filterPane[${index}].target`, target)
  })
  checkPanelFilters(definition.panelFilters ?? [], {
    fail,
    check: (place, { target, values }) => {
      checkTarget(`${place}.target`, target)
      const reason = findColumn(dataset, target) && whyRefused(dataset, { target, operator: 'In', values })
      if (reason) fail(`${place}.values`, reason)
    },
  })
  const pages: Page[] = []
  for (const [index, page] of definition.pages.entries()) {
    const place = `pages[${index}]`
    if (isRepeated(definition.pages, index)) fail(`${place}.name`, `${page.name} se repete`)
    checkFilters(`${place}.filters`, page.filters)
    if (definition.filters.length + page.filters.length > MAX_FILTERS)
      fail(`${place}.filters`, `no máximo ${MAX_FILTERS} filtros, com os do relatório`)
    const visuals: Visual[] = []
    for (const [position, visual] of page.visuals.entries()) {
      const where = `${place}.visuals[${position}]`
      if (isRepeated(page.visuals, position)) fail(`${where}.name`, `${visual.name} se repete`)
      const loaded = await checkVisual(where, visual)
      const remark = (sentence: string) => warn(`${path}: ${where}.query: ${sentence}`)
      if (loaded) {
        const reason = (error: unknown) => sentenceOf(error, quotesData)
        const known = await withBeneficiaries(dataset, loaded, check, (error) =>
          remark(`os beneficiários por trás do visual não são listados: ${reason(error)}`),
        )
        const complete = definition.underlyingData
          ? await withUnderlying(dataset, known, check, (error) =>
              remark(`os dados subjacentes não são exportados: ${reason(error)}`),
            )
          : known
        visuals.push(complete)
      }
      if (loaded && compares) await compare(where, loaded)
    }
    pages.push({ definition: page, visuals })
  }
  errors.forEach(warn)
  if (errors.length) return undefined
  return { id: definition.id.toLowerCase(), version: randomUUID(), workspaceId, dataset, definition, pages }
}

/**
 * Refuses names that every JavaScript object inherits: answers are keyed by these names. What is
 * published already keeps its names.
 */
const checkNames = ({ pages, bookmarks }: ReportDefinition, fail: Fail) => {
  const refuse = (place: string, name: string) => {
    if (isInheritedName(name)) fail(place, reservedName(name))
  }
  bookmarks.forEach(({ name }, index) => {
    refuse(`bookmarks[${index}].name`, name)
  })
  pages.forEach(({ name, visuals }, index) => {
    refuse(`pages[${index}].name`, name)
    visuals.forEach((visual, position) => {
      const where = `pages[${index}].visuals[${position}]`
      refuse(`${where}.name`, visual.name)
      const [place, measures] = measuresOf(visual)
      for (const measure of Object.keys(measures)) refuse(`${where}.${place}.${measure}`, measure)
    })
  })
}

/** A visual whose underlying rows cannot be queried is shown without them. */
const withUnderlying = async (
  dataset: Dataset,
  visual: Visual,
  check: CheckQuery,
  onRefused: (error: unknown) => void,
): Promise<Visual> => {
  const { query } = visual.definition
  if (query === undefined) return visual
  try {
    const underlying = await loadUnderlying(dataset, visual.definition, query, check)
    return underlying ? { ...visual, underlying } : visual
  } catch (error) {
    onRefused(error)
    return visual
  }
}

/** A visual whose rows have no id of a beneficiary is shown without the list behind it. */
const withBeneficiaries = async (
  dataset: Dataset,
  visual: Visual,
  check: CheckQuery,
  onRefused: (error: unknown) => void,
): Promise<Visual> => {
  const { query } = visual.definition
  if (query === undefined) return visual
  try {
    const beneficiaries = await loadBeneficiaries(dataset, visual, query, check)
    return beneficiaries ? { ...visual, beneficiaries } : visual
  } catch (error) {
    onRefused(error)
    return visual
  }
}

const differs = ({ aggregation }: Visual, difference: string) =>
  `com o resumo ${aggregation?.name} o resultado é outro (${difference}): some com sum(…) só colunas de sums, e não conte linhas`

/** Checks the well-formed visuals of a report that is excluded for faults of its schema. */
export const checkVisuals = async (
  { path, visuals }: InvalidReportDefinition,
  dataset: Dataset,
  warn: Warn,
  { isAuthored, quotesData }: AuthorRights,
): Promise<void> => {
  const fail: Fail = (place, error) => warn(`${path}: ${place}: ${sentenceOf(error, quotesData)}`)
  const { checkVisual } = checksOf(dataset, createQueryCheck(dataset, !isAuthored(path)), fail, fail)
  for (const { place, definition } of visuals) await checkVisual(place, definition)
}

const checksOf = (
  dataset: Dataset,
  check: CheckQuery,
  fail: Fail,
  remark: (place: string, sentence: string) => void,
) => {
  const checkTarget = (place: string, { table, column }: Target) => {
    if (!findColumn(dataset, { table, column }))
      fail(place, `${table}.${column} não existe no conjunto de dados`)
  }
  const checkSlicer = (place: string, { target, style }: Slicer) => {
    checkTarget(`${place}.target`, target)
    const kind = findColumn(dataset, target)?.column.kind
    if (style === 'dateRange' && kind && kind !== 'date' && kind !== 'timestamp')
      fail(`${place}.style`, `dateRange pede uma coluna de datas, e ${target.column} não é`)
  }
  /** Undefined when there is no query, or it has faults. */
  const checkVisual = async (where: string, visual: VisualDefinition): Promise<Visual | undefined> => {
    if (visual.select) checkTarget(`${where}.select.target`, visual.select.target)
    if (visual.slicer) checkSlicer(`${where}.slicer`, visual.slicer)
    visual.drill?.levels.forEach(({ target }, level) => {
      if (target) checkTarget(`${where}.drill.levels[${level}].target`, target)
    })
    checkOption(visual.option, `${where}.option`, fail)
    const { query } = visual
    if (query === undefined) return undefined
    const failHere: Fail = (at, error) => fail(`${where}.${at}`, error)
    const loaded = await loadVisual(dataset, visual, query, failHere, check)
    if (loaded) warnOfUnknownColumns(loaded, (at, sentence) => remark(`${where}.${at}`, sentence))
    return loaded
  }
  return { checkTarget, checkVisual }
}

const warnOfUnknownColumns = (
  { definition, columns }: Visual,
  warn: (at: string, sentence: string) => void,
) => {
  const known = new Set(columns.map(({ name }) => name))
  for (const part of ['format', 'labels'] as const) {
    for (const name of Object.keys(definition[part])) {
      if (!known.has(name)) warn(`${part}.${name}`, 'a consulta não devolve esta coluna')
    }
  }
  if (definition.select && !known.has(definition.select.column)) {
    warn('select.column', `a consulta não devolve a coluna ${definition.select.column}`)
  }
}

const whyRefused = (dataset: Dataset, filter: Filter): string | undefined => {
  try {
    compileFilter(dataset, resolveFilter(dataset, filter, Date.now()), () => '')
    return undefined
  } catch (error) {
    if (error instanceof FilterError) return error.message
    throw error
  }
}
