import { isNode, type Node, SqlError } from './sql-node.ts'

/*
 * DuckDB's memory limit does not count what a function makes of one row: `range(2000000000)` or a few nested `replace` take
 * gigabytes, and heed no interruption. So how much longer they make a text or a list must stand in the query, and be little.
 */

/** All functions of a query together. */
const MAX_GROWTH = 1000

export const MANY_LONG = 'a consulta multiplica textos longos: corte-os antes, como em left(coluna, 500)'

/**
 * Throws where a query may make much of little, whatever its data. `longest`: what its joins of texts may come to; `readsLong`:
 * of tables with long texts.
 */
export function checkGrowth(nodes: Node[], { longest, readsLong }: { longest: number; readsLong: boolean }) {
  let growth = 1
  for (const node of nodes) if (node.class === 'FUNCTION') growth *= growthOf(node)
  if (growth * longest > MAX_GROWTH)
    throw new SqlError(
      readsLong ? MANY_LONG : `a consulta multiplica textos ou listas por mais de ${MAX_GROWTH}`,
    )
  if (growth > 1 && nodes.some(({ type }) => type === 'RECURSIVE_CTE_NODE'))
    throw new SqlError('uma consulta recursiva não pode multiplicar textos ou listas')
}

/** By how much at most a result is longer than what is given. */
export function growthOf(node: Node): number {
  const name = String(node.function_name).toLowerCase()
  const given = Array.isArray(node.children) ? node.children : []
  switch (name) {
    case 'range':
    case 'generate_series': {
      const [first = 0, second, step = 1] = given.map(numberOf)
      const length = second === undefined ? first : (second - first) / step
      if (!Number.isFinite(length))
        throw new SqlError(`${name}: escreva os limites como números, ou use ${name} em FROM`)
      return Math.max(1, Math.ceil(length) + 1)
    }
    case 'replace':
      return Math.max(1, textOf(name, given[2]).length / Math.max(1, textOf(name, given[1]).length))
    case 'regexp_replace':
      return Math.max(1, textOf(name, given[2]).length + (mayMatchNothing(given[1]) ? 1 : 0))
    case 'printf':
    case 'format':
      // A width of four digits, or one that is an argument.
      if (/\d{4}|\*|\{[^}]*\{/.test(textOf(name, given[0])))
        throw new SqlError(`${name}: só larguras de até 999, escritas no formato`)
      return 1
    default:
      return 1
  }
}

/** Between any two letters too, that is. Where ours reads an expression otherwise than DuckDB's, it may. */
function mayMatchNothing(node: unknown): boolean {
  const pattern = isNode(node) && isNode(node.value) ? node.value.value : undefined
  // A boundary is nothing, but there is none in an empty text.
  if (typeof pattern !== 'string' || /\\[bBAzQ]|\(\?/.test(pattern)) return true
  try {
    return new RegExp(pattern, 'u').test('')
  } catch {
    return true
  }
}

/** NaN for what is not written as a number. */
function numberOf(node: unknown): number {
  if (!isNode(node)) return Number.NaN
  const [only] = Array.isArray(node.children) ? node.children : []
  if (node.class === 'FUNCTION' && node.function_name === '-') return -numberOf(only)
  const isNumber = node.class === 'CONSTANT' && isNode(node.value) && typeof node.value.value === 'number'
  const id = isNode(node.value) && isNode(node.value.type) ? String(node.value.type.id) : ''
  return isNumber && /INT/.test(id) && isNode(node.value) ? Number(node.value.value) : Number.NaN
}

function textOf(name: string, node: unknown): string {
  const value = isNode(node) && node.class === 'CONSTANT' && isNode(node.value) ? node.value.value : undefined
  if (typeof value !== 'string') throw new SqlError(`${name}: escreva os textos entre aspas, na consulta`)
  return value
}
