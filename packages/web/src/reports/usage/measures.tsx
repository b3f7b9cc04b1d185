import type { UsageRow } from '@bi-manager/contract'
import { secondsText } from '../../ui/chart/chart-texts.ts'
import { Facts } from '../../ui/facts.tsx'
import classes from './usage.module.css'

interface MeasuresProps {
  usage: Pick<UsageRow, 'paginas' | 'p50' | 'p95' | 'erros'>
  /** The figures before those of all usage. */
  first: [string, string][]
}

/** The figures of a period. */
export const Measures = ({ usage: { paginas, p50, p95, erros }, first }: MeasuresProps) => (
  <Facts
    className={classes.measures}
    valueClass={classes.measure}
    rows={[
      ...first,
      ['Páginas abertas', paginas.toLocaleString('pt-BR')],
      ['Tela completa (mediana)', timeText(p50)],
      ['Tela completa (95% até)', timeText(p95)],
      ['Erros', erros.toLocaleString('pt-BR')],
    ]}
  />
)

/** Returns '1,2 s', or a dash without views. */
export const timeText = (ms: number | null): string => (ms === null ? '—' : secondsText(ms))
