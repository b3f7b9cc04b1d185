import type {
  Cell,
  ColumnKind,
  ColumnValues,
  ColumnValuesRequest,
  Filter,
  Target,
} from '../../../wire/embed-contract.ts'
import { isBasic, keepValues } from '../../state/filters.ts'
import { buttonWith, el, uniqueId } from '../style/dom.ts'

export type LoadValues = (request: ColumnValuesRequest, signal: AbortSignal) => Promise<ColumnValues>

/**
 * Creates a list of a column's values; the checked ones become an `In` filter.
 * @param options `search: false` hides the search box, unless the list is truncated; `single`:
 * radio buttons (when not set, the filter in force decides)
 */
export const createValuePicker = (
  target: Target,
  label: string,
  loadValues: LoadValues,
  text: (value: Cell, kind: ColumnKind | undefined) => string,
  choose: (filter: Filter | undefined) => void,
  options: { search?: boolean; single?: boolean } = {},
) => {
  const searchId = uniqueId('search')
  const search = el('input', {
    type: 'search',
    id: searchId,
    placeholder: 'Pesquisar',
    autocomplete: 'off',
    maxlength: 100,
  })
  const list = el('div', { class: 'values', role: 'group', 'aria-label': `Valores de ${label}` })
  const searchLabel = el('label', { class: 'hidden-text', for: searchId }, `Pesquisar em ${label}`)
  const element = el('div', { class: 'picker' }, searchLabel, search, list)
  const showSearch = (on: boolean) => {
    search.hidden = !on
    searchLabel.hidden = !on
  }
  showSearch(options.search !== false)
  let chosen: Cell[] = []
  /** The filter in force compares without case: each spelling in the list is checked. */
  let ignoresCase = false
  let single = options.single === true
  let disabled = false
  let loaded: ColumnValues | undefined
  let loading = new AbortController()
  let pause: ReturnType<typeof setTimeout> | undefined

  function tick(value: Cell, on: boolean) {
    const others = single ? [] : checkedValues().filter((other) => other !== value)
    const values = on ? [...others, value] : others
    if (values.length === 0) return choose(undefined)
    // The data may hold other spellings of values that the list leaves out.
    const isComplete = loaded !== undefined && !loaded.truncated && search.value === ''
    const matchCase = isComplete || !ignoresCase || chosen.length === 0
    choose({ ...keepValues(target, values), matchCase, requireSingleSelection: single })
  }

  /** Returns the values that the filter in force keeps, in the spellings of the list. */
  function checkedValues(): Cell[] {
    const listed = loaded?.values ?? []
    if (!ignoresCase) return chosen
    return chosen.flatMap((value) => {
      const spellings = listed.filter((one) => isSame(one, value))
      return spellings.length ? spellings : [value]
    })
  }

  function show() {
    if (!loaded) return
    if (loaded.truncated) showSearch(true)
    const checked = checkedValues()
    // Checked values stay visible, even where the limit of the list would leave them out.
    const listed = search.value
      ? loaded.values
      : [...checked.filter((value) => !loaded?.values.includes(value)), ...loaded.values]
    const focused = list.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-value')
      : undefined
    list.replaceChildren(
      ...listed.map((value) => {
        const box = el('input', {
          type: single ? 'radio' : 'checkbox',
          name: `${searchId}-choice`,
          disabled,
          'data-value': String(value),
        })
        box.checked = checked.includes(value)
        box.addEventListener('change', () => tick(value, box.checked))
        return el('label', { class: 'value' }, box, el('span', {}, text(value, loaded?.kind)))
      }),
      ...(listed.length ? [] : [el('p', { class: 'hint' }, 'Nenhum valor encontrado.')]),
      ...(loaded.truncated ? [el('p', { class: 'hint' }, 'Há mais valores: use a pesquisa.')] : []),
    )
    if (focused != null) list.querySelector<HTMLElement>(`[data-value="${CSS.escape(focused)}"]`)?.focus()
  }

  async function load() {
    loading.abort()
    loading = new AbortController()
    const { signal } = loading
    try {
      const wanted = search.value.trim()
      loaded = await loadValues({ target, ...(wanted && { search: wanted }) }, signal)
      if (!signal.aborted) show()
    } catch {
      if (signal.aborted) return
      const retry = buttonWith(load, { class: 'link' }, 'Tentar novamente')
      list.replaceChildren(
        el('p', { class: 'hint', role: 'alert' }, 'Não foi possível carregar os valores. ', retry),
      )
    }
  }

  search.addEventListener('input', () => {
    clearTimeout(pause)
    pause = setTimeout(load, 250)
  })

  return {
    element,
    open() {
      if (!loaded) void load()
    },
    update(filter: Filter | undefined, locked: boolean) {
      const basicFilter = filter && isBasic(filter) ? filter : undefined
      chosen = basicFilter?.operator === 'In' ? basicFilter.values : []
      ignoresCase = basicFilter?.matchCase !== true
      single = options.single === true || basicFilter?.requireSingleSelection === true
      disabled = locked
      search.disabled = locked
      show()
    },
    /** Fetches the list again, `now` or when it is next opened: the data may have changed. */
    refresh(now: boolean) {
      if (!loaded) return
      if (now) void load()
      else loaded = undefined
    },
  }
}

const isSame = (one: Cell, other: Cell) =>
  one === other ||
  (typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase())
