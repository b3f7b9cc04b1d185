import type { BoundPage } from '@bi-manager/contract'
import type { ComponentType, ReactNode } from 'react'

export type BoundReport = NonNullable<BoundPage['relatorio']>

/** What a page asks of whoever embeds its report; the viewer, which `app` hands over. */
export interface EmbedProps {
  report: BoundReport
  label: string
  heading: ReactNode
  actions?: ReactNode
  /** The report is the page: it fills the window and keeps its own page and filters in the address. */
  isWholePage?: boolean
}

export type Embed = ComponentType<EmbedProps>
