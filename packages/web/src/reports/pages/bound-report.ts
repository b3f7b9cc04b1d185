import type { BoundPage } from '@bi-manager/contract'
import type { ComponentType, ReactNode } from 'react'

export type BoundReport = NonNullable<BoundPage['relatorio']>

/** Props of the component that embeds a page's report: the viewer, passed in by `app`. */
export interface EmbedProps {
  report: BoundReport
  label: string
  heading: ReactNode
  actions?: ReactNode
  /** True when the report fills the window and keeps its page and filters in the URL. */
  isWholePage?: boolean
}

export type Embed = ComponentType<EmbedProps>
