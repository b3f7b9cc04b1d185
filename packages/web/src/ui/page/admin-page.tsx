import type { ReactNode } from 'react'
import { ProofDialog } from '../proof-dialog/proof-dialog.tsx'
import shared from '../shared.module.css'
import classes from './admin-page.module.css'

interface AdminPageProps {
  title: string
  /** Shown above the heading, such as a link back to the list. */
  above?: ReactNode
  /** One line under the title, such as a count or what the page is for. */
  lead?: ReactNode
  /** The primary action (a link to the form) and secondary ones. */
  actions?: ReactNode
  /** Uses the width of a form instead of that of a table. */
  narrow?: boolean
  children: ReactNode
}

/** The frame of a back-office page: heading, lead, actions, content. */
export const AdminPage = ({ title, above, lead, actions, narrow = false, children }: AdminPageProps) => (
  <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
    <header className={classes.header}>
      <div className={classes.titles}>
        {above}
        <h1 className={classes.heading}>{title}</h1>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {actions && <div className={shared.buttons}>{actions}</div>}
    </header>
    {children}
    <ProofDialog />
  </div>
)
