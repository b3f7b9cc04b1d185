import { once } from '@bi-manager/contract'
import { counted } from '../../lib/text/counted.ts'

interface ShownPage {
  pagina: number
  tamanho: number
  total: number
  /** More rows match than `total` says. */
  isCapped: boolean
  /** Number of rows on this page. */
  count: number
}

const number = once(() => new Intl.NumberFormat('pt-BR'))

/** Returns what the pager shows and allows. */
export const pageRange = ({ pagina, tamanho, total, isCapped, count }: ShownPage) => {
  const from = count === 0 ? 0 : (pagina - 1) * tamanho + 1
  const to = count === 0 ? 0 : from + count - 1
  const upper = pagina * tamanho
  const all = isCapped ? `mais de ${number().format(total)}` : number().format(total)
  return {
    /** First and last row shown, from 1; both 0 when there is none. */
    from,
    to,
    canGoBack: pagina > 1,
    // The real total is unknown when capped: a full page implies another one.
    canGoOn: isCapped ? count === tamanho : upper < total,
    /** '1–5 de 32'. */
    text: count === 0 ? `0 de ${all}` : `${number().format(from)}–${number().format(to)} de ${all}`,
  }
}

/** Returns '1 workspace', '32 workspaces' or 'mais de 1.000 workspaces'. */
export const countText = (
  total: number,
  isCapped: boolean,
  [singular, plural]: readonly [singular: string, plural: string],
): string => (isCapped ? `mais de ${number().format(total)} ${plural}` : counted(total, singular, plural))
