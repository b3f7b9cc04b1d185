import type { ReactNode } from 'react'
import shared from '../shared.module.css'

/** The part of a cell below its content. */
export const Detail = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' && children ? <span className={shared.detail}>{children}</span> : children
