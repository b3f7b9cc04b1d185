import type { PlacedToken } from './pdf-structure.ts'

/** Of an object, what matters to whether something happens without anybody's click. */
interface Traced {
  /** A dictionary by itself; not an array of others, or a mere reference. */
  isDictionary: boolean
  /** A dictionary that says which action it is. */
  isAction: boolean
  /** An address stands in it, at any depth. */
  hasAddress: boolean
  /** What it refers to. */
  all: number[]
  /** The same, of its `Next` alone: what an action is followed by. */
  next: number[]
}

/**
 * Follows what happens by itself (`OpenAction`, `AA`) through references, and finds addresses that are opened so. Those of links,
 * which wait for a click, stand in the same kind of object.
 */
export const createActionTrail = () => {
  const objects = new Map<number, Traced[]>()
  /** A reader may find them by any number. */
  const unnumbered: Traced[] = []
  const actions: number[] = []
  const tablesOfActions: number[] = []

  /**
   * @param numbers by which the object is referred to; none: they could not be read
   * @returns what is to be told of every token of it, in order
   */
  const read = (numbers: readonly number[]): ((placed: PlacedToken) => void) => {
    const traced: Traced = { isDictionary: false, isAction: false, hasAddress: false, all: [], next: [] }
    if (numbers.length === 0) unnumbered.push(traced)
    for (const number of numbers) {
      const known = objects.get(number)
      if (known) known.push(traced)
      else objects.set(number, [traced])
    }
    const keyOf = keyReader()
    const referenceIn = referenceReader()
    let acting: { name: string; depth: number } | undefined
    return (placed) => {
      const { token, depth } = placed
      const isName = token.kind === 'name'
      const key = keyOf(placed)
      if (depth === 0 && token.kind === 'mark' && token.value === '<<') traced.isDictionary = true
      if (key === 'S') traced.isAction = true
      if (isName && token.value === 'URI') traced.hasAddress = true
      if (acting && depth <= acting.depth && (isName || isClosing(placed))) acting = undefined
      if (isName && (token.value === 'OpenAction' || token.value === 'AA')) {
        acting = { name: token.value, depth }
      }
      const referred = referenceIn(placed)
      if (referred === undefined) return
      traced.all.push(referred)
      if (key === 'Next') traced.next.push(referred)
      if (acting) (acting.name === 'AA' && depth === acting.depth ? tablesOfActions : actions).push(referred)
    }
  }

  /** Whether an address is opened without a click; to be asked once every object was read. */
  const opensByItself = (): boolean => {
    if (actions.length + tablesOfActions.length === 0) return false
    const isAt = (number: number) => objects.get(number) ?? []
    const waiting = [...actions.flatMap(isAt), ...unnumbered]
    for (const table of reached([...tablesOfActions.flatMap(isAt), ...unnumbered], ({ isDictionary, all }) =>
      isDictionary ? [] : all.flatMap(isAt),
    )) {
      if (table.hasAddress) return true
      for (const number of table.all) waiting.push(...isAt(number))
    }
    // A dictionary that is no action is a page, where a place to go to is meant.
    const happens = ({ isDictionary, isAction }: Traced) => isAction || !isDictionary
    for (const one of reached(waiting, ({ isDictionary, isAction, next, all }) =>
      isDictionary ? (isAction ? next.flatMap(isAt) : []) : all.flatMap(isAt),
    )) {
      if (happens(one) && one.hasAddress) return true
    }
    return false
  }
  return { read, opensByItself }
}

/** These, and whatever they lead to. */
function* reached(from: Traced[], leadsTo: (one: Traced) => Traced[]): Generator<Traced> {
  const seen = new Set<Traced>()
  for (let one = from.pop(); one; one = from.pop()) {
    if (seen.has(one)) continue
    seen.add(one)
    yield one
    for (const next of leadsTo(one)) from.push(next)
  }
}

const isClosing = ({ token }: PlacedToken): boolean =>
  token.kind === 'mark' && (token.value === '>>' || token.value === ']')

/** @returns of each token, the key of the outermost dictionary that it is, or is in the value of */
const keyReader = () => {
  let key = ''
  let lacksValue = false
  return ({ token, depth }: PlacedToken): string => {
    if (depth === 1 && token.kind === 'name' && !lacksValue) {
      key = token.value
      lacksValue = true
    } else if (depth >= 1) lacksValue = false
    return key
  }
}

/** @returns at the `R` of `12 0 R`, the number */
const referenceReader = () => {
  let [beforeLast, last] = ['', '']
  return ({ token }: PlacedToken): number | undefined => {
    const first = beforeLast
    beforeLast = last
    last = token.kind === 'word' ? token.value : ''
    if (!last.startsWith('R')) return undefined
    const number = Number.parseFloat(first)
    return Number.isSafeInteger(number) ? number : undefined
  }
}
