import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { countText } from '../data-table/page-range.ts'
import classes from './csv-import.module.css'

interface ImportResultProps {
  count: number
  people: readonly [singular: string, plural: string]
  /** Further information. */
  children?: ReactNode
  buttons: ReactNode
}

export const ImportResult = ({ count, people, children, buttons }: ImportResultProps) => (
  <div className={classes.result}>
    <IconCircleCheck size={44} stroke={1.4} aria-hidden className={classes.resultIcon} />
    <p role="status" className={classes.resultText}>
      {countText(count, false, people)} {count === 1 ? 'importado!' : 'importados!'}
    </p>
    {children}
    <div className={classes.buttons}>{buttons}</div>
  </div>
)
