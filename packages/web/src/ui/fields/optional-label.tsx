import type { ReactNode } from 'react'
import shared from '../shared.module.css'

/** The label of a field that may be left empty. */
export const OptionalLabel = ({ children }: { children: ReactNode }) => (
  <>
    {children} <span className={shared.optional}>(opcional)</span>
  </>
)
