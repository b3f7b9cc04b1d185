import { filterTypes } from '../../../definitions/filter-operators.ts'
import type { Filter, Target } from '../../../wire/embed-contract.ts'
import { el, setAttributes, uniqueId } from '../style/dom.ts'
import type { LoadValues } from './value-picker.ts'

/** Parses a Brazilian date (31/05/2024, 1/5/24) to yyyy-mm-dd; undefined when invalid. */
export const readDate = (text: string): string | undefined => {
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text.trim())
  if (!match) return undefined
  const [, day = '', month = '', given = ''] = match
  const year = given.length === 2 ? `20${given}` : given
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const real = new Date(`${date}T00:00:00Z`)
  // `Date` would turn the 31st of a shorter month into the 1st of the next.
  return !Number.isNaN(real.getTime()) && real.toISOString().startsWith(date) ? date : undefined
}

export const writeDate = (date: string) => date.slice(0, 10).split('-').toReversed().join('/')

type Range = [from: string | undefined, to: string | undefined]

/**
 * Creates two optional date fields that become a filter of one or two conditions. Text fields,
 * since native date fields follow the browser's language.
 */
export const createDateRange = (
  target: Target,
  label: string,
  loadValues: LoadValues,
  choose: (filter: Filter | undefined) => void,
) => {
  const hint = el('p', { class: 'hint', id: uniqueId('hint') })
  const [from, to] = [createField('De', label, hint.id), createField('Até', label, hint.id)]
  const element = el('div', { class: 'date-range' }, from.element, to.element, hint)
  let bounds: Range = [undefined, undefined]
  /** With instants, the last day ends where the next begins. False when the column has none. */
  let hasTime = true
  let inForce: Range = [undefined, undefined]
  let loaded = false

  function showHint(problem = '') {
    const [least, greatest] = bounds
    const known = least && greatest ? `Há dados de ${writeDate(least)} a ${writeDate(greatest)}.` : ''
    hint.textContent = problem || known
    hint.classList.toggle('wrong', problem !== '')
    setAttributes(hint, { role: problem ? 'alert' : undefined })
  }

  function take() {
    const [start, end] = [from.read(), to.read()]
    const isReversed = Boolean(start && end && start > end)
    from.mark(start === null)
    to.mark(end === null || isReversed)
    if (start === null || end === null) return showHint('Esta data não existe: escreva dd/mm/aaaa.')
    if (isReversed) return showHint('A data final vem antes da inicial.')
    showHint()
    if (start !== inForce[0] || end !== inForce[1]) choose(rangeFilter(target, [start, end], hasTime))
  }

  for (const { input } of [from, to]) {
    input.addEventListener('change', take)
    input.addEventListener('keydown', ({ key }) => key === 'Enter' && take())
  }

  async function load() {
    loaded = true
    try {
      const { values } = await loadValues({ target, bounds: true }, new AbortController().signal)
      const texts = values.filter((value) => typeof value === 'string')
      hasTime = texts.some((text) => text.includes('T'))
      bounds = [texts[0]?.slice(0, 10), texts.at(-1)?.slice(0, 10)]
      showHint()
    } catch {
      // The fields work without their bounds; the next open fetches them again.
      loaded = false
    }
  }

  return {
    element,
    open: () => void (loaded || load()),
    /** Fetches the bounds again: the data may have changed. */
    refresh: () => void (loaded && load()),
    update(filter: Filter | undefined) {
      inForce = readRange(filter)
      from.write(inForce[0])
      to.write(inForce[1])
      showHint()
    },
  }
}

export const rangeFilter = (target: Target, [from, to]: Range, hasTime: boolean): Filter | undefined => {
  if (!from && !to) return undefined
  const last = to && hasTime ? { operator: 'LessThan' as const, value: dayAfter(to) } : undefined
  return {
    $schema: 'http://powerbi.com/product/schema#advanced',
    target,
    filterType: filterTypes.advanced,
    logicalOperator: 'And',
    conditions: [
      ...(from ? [{ operator: 'GreaterThanOrEqual' as const, value: from }] : []),
      ...(to ? [last ?? { operator: 'LessThanOrEqual' as const, value: to }] : []),
    ],
  }
}

export const readRange = (filter: Filter | undefined): Range => {
  if (!filter || !('conditions' in filter)) return [undefined, undefined]
  const day = (...operators: string[]) => {
    const found = filter.conditions.find(({ operator }) => operators.includes(operator))
    return typeof found?.value === 'string' ? { ...found, value: found.value.slice(0, 10) } : undefined
  }
  const to = day('LessThanOrEqual', 'LessThan')
  return [
    day('GreaterThanOrEqual', 'GreaterThan')?.value,
    to?.operator === 'LessThan' ? dayAfter(to.value, -1) : to?.value,
  ]
}

const dayAfter = (date: string, days = 1): string => {
  const day = new Date(`${date}T00:00:00Z`)
  day.setUTCDate(day.getUTCDate() + days)
  return day.toISOString().slice(0, 10)
}

const createField = (name: string, label: string, describedBy: string) => {
  const id = uniqueId('date')
  const input = el('input', {
    type: 'text',
    id,
    inputmode: 'numeric',
    placeholder: 'dd/mm/aaaa',
    maxlength: 10,
    autocomplete: 'off',
    'aria-describedby': describedBy,
  })
  input.addEventListener('input', (event) => {
    // Slashes are added only while typing at the end: a correction in the middle keeps its cursor.
    const isErasing = event instanceof InputEvent && event.inputType.startsWith('delete')
    if (!isErasing && input.selectionStart === input.value.length) input.value = withSlashes(input.value)
  })
  return {
    input,
    element: el(
      'label',
      { class: 'date-field', for: id },
      el('span', {}, name, el('span', { class: 'hidden-text' }, ` (${label})`)),
      input,
    ),
    /** Returns yyyy-mm-dd, undefined when empty, null when it is not a date. */
    read: () => (input.value.trim() ? (readDate(input.value) ?? null) : undefined),
    write(date: string | undefined) {
      if (document.activeElement !== input || readDate(input.value) !== date)
        input.value = date ? writeDate(date) : ''
      setAttributes(input, { 'aria-invalid': false })
    },
    mark: (wrong: boolean) => setAttributes(input, { 'aria-invalid': wrong && 'true' }),
  }
}

/** Turns 3105 into 31/05/. */
const withSlashes = (text: string) =>
  text
    .replace(/[^\d/]/g, '')
    .replace(/^(\d{2})(?=\d)/, '$1/')
    .replace(/^(\d{1,2}\/\d{2})(?=\d)/, '$1/')
