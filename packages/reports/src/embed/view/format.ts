import type { Cell, ColumnFormat } from '../../embed-contract.ts'

/** A cell as a Brazilian reads it. Without a format, numbers get up to two decimals and dates their day. */
export function formatCell(value: Cell | undefined, format?: ColumnFormat): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (format === 'texto') return String(value)
  if (typeof value === 'string') return formatText(value, format)
  // Small sums have nothing to shorten but their cents, which a price needs.
  const small = format === 'moedaCurta' && Math.abs(value) < 1000 && !Number.isInteger(value)
  return written((format && numberFormats[small ? 'moeda' : format]) ?? plain, value)
}

/** The same, short enough for an axis. */
export function formatAxis(value: Cell, format?: ColumnFormat): string {
  if (typeof value !== 'number') return formatCell(value, format)
  if (format === 'moeda' || format === 'moedaCurta') return formatCell(value, 'moedaCurta')
  if (format === 'percentual') return written(axisPercent, value)
  if (Math.abs(value) >= 1000) return formatCell(value, 'curto')
  return written(Math.abs(value) >= 10 ? oneDecimal : plain, value)
}

/** The same for a value written at its bar: as short, but whole up to 9.999 and with equal decimals in one chart. */
export function formatLabel(value: Cell, format?: ColumnFormat): string {
  if (format === 'percentual') return formatCell(value, format)
  const whole = typeof value === 'number' && Math.abs(value) >= 1000 && Math.abs(value) < 10_000
  return whole && (format === undefined || format === 'inteiro')
    ? formatCell(value, 'inteiro')
    : formatAxis(value, format)
}

/** The change from `previous` to `value`: percentage points for percentages, else relative. Undefined without a base. */
export function formatChange(value: number, previous: number, format?: ColumnFormat): string | undefined {
  if (format === 'percentual') return `${written(points, (value - previous) * 100)} p.p.`
  if (previous === 0) return undefined
  return written(signedPercent, (value - previous) / Math.abs(previous))
}

export const isNumeric = (value: Cell | undefined): value is number => typeof value === 'number'

/** With the minus sign of typesetting, not the hyphen. */
const written = (format: Intl.NumberFormat, value: number) => format.format(value).replace('-', '−')

const number = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat('pt-BR', options)
const money = { style: 'currency', currency: 'BRL' } as const
const plain = number({ maximumFractionDigits: 2 })
const oneDecimal = number({ maximumFractionDigits: 1 })
const axisPercent = number({ style: 'percent', maximumFractionDigits: 1 })
const points = number({ minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const signedPercent = number({
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

const numberFormats: Partial<Record<ColumnFormat, Intl.NumberFormat>> = {
  inteiro: number({ maximumFractionDigits: 0 }),
  decimal: number({ minimumFractionDigits: 1, maximumFractionDigits: 2 }),
  curto: number({ notation: 'compact', maximumFractionDigits: 1 }),
  moeda: number(money),
  moedaCurta: number({ ...money, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 }),
  percentual: number({ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
}

const months = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez']

function formatText(value: string, format?: ColumnFormat): string {
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]|$)/.exec(value)
  if (!date) return value
  const [, year = '', month = '', day] = date
  if (format === 'mes' || !day) return `${months[Number(month) - 1] ?? month}/${year.slice(2)}`
  return `${day}/${month}/${year}`
}
