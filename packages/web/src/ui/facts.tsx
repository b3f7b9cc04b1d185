import type { ReactNode } from 'react'
import shared from './shared.module.css'

interface FactsProps {
  /** Rows without a value are omitted. */
  rows: readonly (readonly [label: string, value: ReactNode])[]
  className?: string | undefined
  /** The class of the values. */
  valueClass?: string | undefined
}

/** Labels and their values. */
export const Facts = ({ rows, className = '', valueClass }: FactsProps) => (
  <dl className={`${shared.facts} ${className}`}>
    {rows
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={valueClass}>{value}</dd>
        </div>
      ))}
  </dl>
)
